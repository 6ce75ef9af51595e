import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Connection, Database } from '../../platform/database/connect.ts';
import {
  requireCredential,
  requireFormToken,
  requireSameOrigin,
  sessionCookieName,
} from '../../platform/http/credentials/credential.ts';
import type { Credential, Principal, Scope } from '../../platform/http/credentials/principal.ts';
import type { RateLimits } from '../../platform/http/limits/rate-limits.ts';
import { authenticate } from './authenticate.ts';
import { saveLastUsed } from './caller.queries.ts';

/** Result of a lookup, which contains at least the account and the key or session of the credential. */
interface Found {
  caller: Pick<Principal, 'accountId' | 'keyId' | 'sessionId'>;
}

/** Authenticates and authorizes the requests of all routes that need a credential. */
export interface Authentication {
  /**
   * Returns the access key or session token that a request carries, whichever its route accepts, without looking it up
   * in the database. Throws 401 if it is missing or malformed.
   */
  readCredential(request: FastifyRequest): Credential;
  /**
   * Looks up the credential of a request with `lookUp`, which throws 401 if the credential is not valid and 403 if it
   * lacks a required scope. Then checks: for a session, that a request that may change data comes from one of our own
   * pages (403); for a form, that it contains the session's token (403); for a metered call, the account's rate limit
   * (429). Records the key's use, and returns the result of `lookUp`.
   */
  admit<Answer extends Found>(
    request: FastifyRequest,
    reply: FastifyReply,
    lookUp: (credential: Credential) => Promise<Answer>,
  ): Promise<Answer>;
  /**
   * Admits a request with a lookup that reads only its caller and requires the scope of its route. Stores the caller in
   * `request.principal`.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Principal>;
}

interface AuthenticationParts {
  database: Database;
  /** Base origin of this server. */
  publicUrl: string;
  lastUsed: Pick<LastUsed, 'note'>;
  rateLimits: Pick<RateLimits, 'count'>;
}

/** Creates the authentication of a server with the address `publicUrl`. */
export function createAuthentication(parts: AuthenticationParts): Authentication {
  const { database, publicUrl, lastUsed, rateLimits } = parts;
  const cookieName = sessionCookieName(publicUrl);

  function present(request: FastifyRequest): Credential {
    request.credential ??= requireCredential(request, request.routeOptions.config.schemes ?? [], cookieName);
    return request.credential;
  }

  const admit: Authentication['admit'] = async (request, reply, lookUp) => {
    const { limit, formPage } = request.routeOptions.config;
    const credential = present(request);
    const found = await lookUp(credential);
    const { accountId, keyId } = found.caller;
    request.keyId = keyId;
    if (credential.kind === 'session') requireSameOrigin(request, publicUrl);
    if (formPage !== undefined) requireFormToken(credential, request.body);
    if (limit === 'metered') await rateLimits.count('metered-account', accountId, reply);
    if (keyId !== null) lastUsed.note(keyId);
    return found;
  };

  return {
    readCredential: present,
    admit,
    async authenticate(request, reply) {
      const [scope = null] = request.routeOptions.config.scopes ?? [];
      const { caller } = await admit(request, reply, async (credential) => ({
        caller: await authenticate(database, credential, scope as Scope | null),
      }));
      request.principal = caller;
      return caller;
    },
  };
}

/**
 * Creates one handler per security scheme of the contract. If an operation accepts either scheme, both handlers share
 * one decision about a request. If each handler decided for itself, the cookie would be checked after a key was
 * rejected, and the client would get the error about the cookie. The handlers throw 401, 403 if the key lacks the
 * required scope, and csrf_failed. If a route judges the credential itself, they only read the credential and throw 401
 * if it is missing or malformed. Without the shared decision, `authenticate-caller.test.ts` fails.
 */
export function createSecurityHandlers(authentication: Authentication) {
  const decisions = new WeakMap<FastifyRequest, Promise<unknown>>();

  async function decide(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { judgesCredential = false } = request.routeOptions.config;
    return judgesCredential
      ? authentication.readCredential(request)
      : authentication.authenticate(request, reply);
  }

  async function once(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const decision = decisions.get(request) ?? decide(request, reply);
    decisions.set(request, decision);
    await decision;
  }

  return { accessKey: once, session: once };
}

/** Records when keys were last used, to the minute, in batches for which no request waits. */
interface LastUsed {
  note(keyId: string): void;
  /**
   * Stores the current minute as the last use of the keys noted since the previous flush. A failed write is not
   * repeated; the next use of a key records a later time.
   */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function startLastUsed(connection: Connection, periodMs: number): LastUsed {
  let noted = new Set<string>();

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const keyIds = [...noted];
    noted = new Set();
    await saveLastUsed(connection, keyIds).catch(() => undefined);
  }

  const timer = setInterval(flush, periodMs);
  timer.unref();
  return {
    note: (keyId) => noted.add(keyId),
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
