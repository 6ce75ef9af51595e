import type { FastifyInstance, FastifyReply } from 'fastify';
import type { KnownCredentials } from '../callers/known-credentials.ts';
import type { Credential } from '../callers/principal.ts';
import { addressKey } from './client-address.ts';
import { presentedCredential } from './credential.ts';
import type { RateLimits } from './rate-limits.ts';

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
  app.addHook('onRequest', async (request, reply) => {
    const { limit, schemes = [] } = request.routeOptions.config;
    if (!limit) return;
    if (limit === 'public') return limits.count('public', addressKey(request), reply);
    const credential = presentedCredential(request, schemes, cookieName);
    if (credential) {
      await refuseGuess(addressKey(request), credential, reply);
      return limits.count(limit, credential.hash.toString('base64url'), reply);
    }
    return limits.count('unkeyed', addressKey(request), reply);
  });
}
