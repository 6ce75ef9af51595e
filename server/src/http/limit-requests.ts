import type { FastifyInstance } from 'fastify';
import { presentedKeyHash } from './credential.ts';
import { addressKey, type RateLimits } from './rate-limits.ts';

/**
 * Counts every request before its body is read: public routes by address, keyed routes by the hash of their token, and
 * by address where there is no token that could be a key.
 */
export function limitRequests(app: FastifyInstance, limits: RateLimits): void {
  app.addHook('onRequest', async (request, reply) => {
    const { limit } = request.routeOptions.config;
    if (!limit) return;
    if (limit === 'public') return limits.count('public', addressKey(request), reply);
    const keyHash = presentedKeyHash(request);
    if (keyHash) return limits.count(limit, keyHash.toString('base64url'), reply);
    return limits.count('unkeyed', addressKey(request), reply);
  });
}
