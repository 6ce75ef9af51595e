import type { FastifyRequest } from 'fastify';
import { credentialError } from '../keys/credential-errors.ts';
import { hashSecret, isWellFormedSecret } from '../keys/secret.ts';

/** The bearer token of a request as it was sent; null when there is none. Never log it. */
function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  const match = /^Bearer +(\S+) *$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

/** SHA-256 of the presented access key where its shape and checksum hold, else null. No database is asked. */
export function presentedKeyHash(request: FastifyRequest): Buffer | null {
  const token = bearerToken(request);
  return token !== null && isWellFormedSecret(token) ? hashSecret(token) : null;
}

/** The same, but a missing or malformed credential is a 401. */
export function requireKeyHash(request: FastifyRequest): Buffer {
  const hash = presentedKeyHash(request);
  if (hash) return hash;
  throw request.headers.authorization === undefined ? credentialError.missing() : credentialError.unknown();
}
