import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { presentedCredential } from '../credentials/credential.ts';
import type { Credential } from '../credentials/principal.ts';
import { addressKey } from './forwarded-addresses.ts';
import type { LimitName, RateLimits } from './rate-limits.ts';

/**
 * Counts every request before its body is read. Public routes are counted by address. Routes with credentials are
 * counted by the hash of the access key or session token; without one, by address. Unknown credentials from addresses
 * that failed too often are rejected without a database lookup, and random tokens are not counted.
 */
export function limitRequests(
  app: FastifyInstance,
  limits: RateLimits,
  known: { mayExist(credential: Credential): Promise<boolean> },
  cookieName: string,
): void {
  const refuseGuess = async (address: string, credential: Credential, reply: FastifyReply) => {
    if (!limits.hasFailedTooOften(address) || (await known.mayExist(credential))) return;
    await limits.countFailedCredential(address, reply);
  };
  const countKeyed = async (request: FastifyRequest, reply: FastifyReply, limit: LimitName) => {
    const { schemes = [] } = request.routeOptions.config;
    const credential = presentedCredential(request, schemes, cookieName);
    if (credential) {
      // Stored for authentication, because hashing the credential again would cost as much as counting.
      request.credential = credential;
      await refuseGuess(addressKey(request), credential, reply);
      return limits.count(limit, credential.hash.toString('base64url'), reply);
    }
    return limits.count('unkeyed', addressKey(request), reply);
  };
  app.addHook('onRequest', (request, reply, done) => {
    const { limit } = request.routeOptions.config;
    if (!limit || (limit === 'public' && !limits.isOn('public'))) return done();
    const counting =
      limit === 'public'
        ? limits.count('public', addressKey(request), reply)
        : countKeyed(request, reply, limit);
    counting.then(() => done(), done);
  });
}
