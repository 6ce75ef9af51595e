import type { FastifyInstance } from 'fastify';
import type { Principal } from '../keys/principal.ts';
import type { LimitName } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the presented access key, once its shape and checksum hold. */
    keyHash: Buffer | null;
    /** Who calls, on routes whose scope the contract names. */
    principal: Principal | null;
    /** Ids that the log line may hold. */
    keyId: string | null;
    ledgerId: string | null;
    errorCode: string | null;
  }
  interface FastifyContextConfig {
    /** The contract's operationId; absent on pages and health routes. */
    operationId?: string;
    query?: Readonly<Record<string, string>>;
    /** The limit that counts this route's requests; absent where none does. */
    limit?: LimitName;
    /** Answers may be stored by shared caches. */
    public?: boolean;
  }
}

/** Declares what a request carries beside fastify's own, so that every request has the same shape. */
export function decorateRequests(app: FastifyInstance): void {
  for (const name of ['keyHash', 'principal', 'keyId', 'ledgerId', 'errorCode'] as const) {
    app.decorateRequest(name, null);
  }
}
