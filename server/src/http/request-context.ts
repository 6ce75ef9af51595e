import type { FastifyInstance, FastifyRequest } from 'fastify';
import { credentialError } from '../callers/credential-errors.ts';
import type { Credential, Principal } from '../callers/principal.ts';
import type { LimitName } from './limits/rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The access key or session token that the request is judged by, once its shape holds. */
    credential: Credential | null;
    /** Who calls, on authenticated routes that do not judge it themselves. */
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
    takesBody?: boolean;
    /** Names of the security schemes that the contract gives this route, and the scopes that a key needs. */
    schemes?: readonly string[];
    scopes?: readonly string[];
    /** The route's calls cost credits. */
    metered?: boolean;
    /** The credential is judged in the statement that does the route's work, not before: a session's origin too. */
    judgesCredential?: boolean;
    /** The limit that counts this route's requests; absent where none does. */
    limit?: LimitName;
    /** The page of ours that a form stands on, which is all that sends to this route. */
    formPage?: string;
    /** Answers may be stored by shared caches. */
    public?: boolean;
  }
}

/** Declares what a request carries beside fastify's own, so that every request has the same shape. */
export function decorateRequests(app: FastifyInstance): void {
  for (const name of ['credential', 'principal', 'keyId', 'ledgerId', 'errorCode'] as const) {
    app.decorateRequest(name, null);
  }
}

/** Who calls a protected route; throws 401 where the contract protects it and nobody was let in. */
export function requirePrincipal({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal) return principal;
  throw credentialError.missing();
}

/** Who is signed in, on routes that take a session and no key; throws 401 for anybody else. */
export function requireSession(request: Pick<FastifyRequest, 'principal'>): {
  accountId: string;
  sessionId: string;
} {
  const { accountId, sessionId } = requirePrincipal(request);
  if (sessionId === null) throw credentialError.sessionEnded();
  return { accountId, sessionId };
}
