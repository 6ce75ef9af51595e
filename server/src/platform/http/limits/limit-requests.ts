import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { presentedCredential } from '../credentials/credential.ts';
import type { Credential } from '../credentials/principal.ts';
import { addressKey } from './forwarded-addresses.ts';
import type { LimitName, RateLimits } from './rate-limits.ts';

/**
 * Counts every request before its body is read: public routes by address, routes with credentials by the hash of the
 * access key or session token, or by address if there is none. Rejects unknown credentials from addresses that failed
 * too often, without a database lookup and without counting random tokens.
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
      // Stored for authentication, because hashing it again would cost as much as counting.
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
