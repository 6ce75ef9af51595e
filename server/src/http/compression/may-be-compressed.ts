import type { FastifyContextConfig } from 'fastify';

/** Below this many bytes a compressed answer saves no packet. */
export const COMPRESSED_FROM_BYTES = 1_024;

/** What answers differ by that may be compressed. */
export const VARY_COMPRESSED = 'Origin, accept-encoding';

/**
 * Whether answers of a route may be compressed. Only what is read, and only what a browser adds no secret to by itself: where
 * a secret and a text of the request share a compressed body, its size tells the secret letter by letter (BREACH). That bars
 * the console, sign-in and whatever shows a key; what a POST answers repeats the request.
 */
export function mayBeCompressed(method: string, config: FastifyContextConfig | undefined): boolean {
  if (method !== 'GET' || config === undefined) return false;
  return config.public === true || config.schemes?.includes('accessKey') === true;
}
