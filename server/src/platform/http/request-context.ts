import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Credential, credentialError, type Principal } from './credentials/principal.ts';
import type { LimitName } from './limits/rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Kind and hash of the request's access key or session token, after its format has been checked. */
    credential: Credential | null;
    /** Authenticated caller; null on public routes and on routes that check the credential themselves. */
    principal: Principal | null;
    /** Ids and error code for the access log. */
    keyId: string | null;
    ledgerId: string | null;
    errorCode: string | null;
  }
  interface FastifyContextConfig {
    /** Operation id of the contract; absent on pages and health routes. */
    operationId?: string;
    query?: Readonly<Record<string, string>>;
    takesBody?: boolean;
    /** Security schemes of this route, and the scopes that a key needs. */
    schemes?: readonly string[];
    scopes?: readonly string[];
    /** True if calls of the route cost credits. */
    metered?: boolean;
    /**
     * True if the route's own SQL statement checks the credential. The security handler then only reads the
     * credential.
     */
    judgesCredential?: boolean;
    /** Rate limit of this route; absent if it has none. */
    limit?: LimitName;
    /** Path of the page with the form, to which errors lead back. If set, the form must have the session's form token. */
    formPage?: string;
    /** True if shared caches may store the responses. */
    public?: boolean;
  }
}

/** Declares the additional properties of requests, so that all requests have the same shape (hidden class). */
export function decorateRequests(app: FastifyInstance): void {
  for (const name of ['credential', 'principal', 'keyId', 'ledgerId', 'errorCode'] as const) {
    app.decorateRequest(name, null);
  }
}

/** Returns the authenticated caller of a protected route; throws 401 if there is none. */
export function requirePrincipal({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal) return principal;
  throw credentialError.missing();
}

/** Returns the account and the session of a signed-in caller; throws 401 for any other caller. */
export function requireSession(request: Pick<FastifyRequest, 'principal'>): {
  accountId: string;
  sessionId: string;
} {
  const { accountId, sessionId } = requirePrincipal(request);
  if (sessionId === null) throw credentialError.sessionEnded();
  return { accountId, sessionId };
}

/**
 * Sets headers on every response that passes the hooks: the request id, no content sniffing, and
 * Strict-Transport-Security if the site uses https.
 */
export function setCommonHeaders(app: FastifyInstance, site: URL): void {
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    // Browsers remember this header for a year, so it is sent only if the site is served over https.
    ...(site.protocol === 'https:' && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id).headers(headers);
    done();
  });
}

/** Logs one line per request with these fields only: no header, body, client address or secret. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { keyId, ledgerId, errorCode } = request;
    const fields: Record<string, string | number | null> = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (keyId) fields.keyId = keyId;
    if (ledgerId) fields.ledgerId = ledgerId;
    if (errorCode) fields.errorCode = errorCode;
    request.log.info(fields, 'request');
    done();
  });
}
