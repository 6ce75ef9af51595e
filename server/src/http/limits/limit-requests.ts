import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownCredentials } from '../../callers/known-credentials.ts';
import type { Credential } from '../../callers/principal.ts';
import { presentedCredential } from '../credentials/credential.ts';
import { addressKey } from './client-address.ts';
import type { LimitName, RateLimits } from './rate-limits.ts';

/**
 * Counts every request before its body is read: public routes by address, keyed routes by the hash of their access key
 * or session token, and by address where there is none that could be one. A guess from an address that has guessed too
 * often ends here: it costs no look-up of its own, and no count for a token that nobody has.
 */
export function limitRequests(
  app: FastifyInstance,
  limits: RateLimits,
  known: KnownCredentials,
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
      // Whose it is is asked of this one: to hash it again would cost as much as to count it.
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
