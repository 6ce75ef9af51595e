import type { FastifyInstance } from 'fastify';
import { presentedCredential } from './credential.ts';
import { addressKey, type RateLimits } from './rate-limits.ts';

/**
 * Counts every request before its body is read: public routes by address, keyed routes by the hash of their access key
 * or session token, and by address where there is none that could be one.
 */
export function limitRequests(app: FastifyInstance, limits: RateLimits, cookieName: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const { limit, schemes = [] } = request.routeOptions.config;
    if (!limit) return;
    if (limit === 'public') return limits.count('public', addressKey(request), reply);
    const credential = presentedCredential(request, schemes, cookieName);
    if (credential) return limits.count(limit, credential.hash.toString('base64url'), reply);
    return limits.count('unkeyed', addressKey(request), reply);
  });
}
