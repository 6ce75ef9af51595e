import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from '../../callers/authenticate.ts';
import type { LastUsed } from '../../callers/last-used.ts';
import type { Credential, Principal, Scope } from '../../callers/principal.ts';
import type { Database } from '../../database/connect.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { requireCredential, sessionCookieName } from './credential.ts';
import { requireFormToken } from './csrf-token.ts';
import { requireSameOrigin } from './request-origin.ts';

/** What a look-up found: at least whose the credential is that it was asked for. */
interface Found {
  caller: Pick<Principal, 'accountId' | 'keyId' | 'sessionId'>;
}

/** The one way in: who sends a request, and whether this request of theirs may go on. */
export interface Authentication {
  /** What the request presents, of the schemes of its route, not looked up yet; throws 401 where it can be nobody's. */
  present(request: FastifyRequest): Credential;
  /**
   * Asks a look-up whose the credential is, and answers what it found, in one order for everybody: the credential's shape
   * and its standing (401), and a key's scope where the look-up asks for it (403); of a session, that one of our own pages
   * sent the request, and that a page's form carries the session's token (403); of a metered call, the limit of its
   * account (429). A key's use is noted.
   */
  admit<Answer extends Found>(
    request: FastifyRequest,
    reply: FastifyReply,
    lookUp: (credential: Credential) => Promise<Answer>,
  ): Promise<Answer>;
  /** The same where a look-up of the caller alone will do: who it is stands on the request afterwards too. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Principal>;
}

interface AuthenticationParts {
  database: Database;
  /** An origin. */
  publicUrl: string;
  lastUsed: Pick<LastUsed, 'note'>;
  rateLimits: Pick<RateLimits, 'count'>;
}

/** The way in of a server that is reached at `publicUrl`. */
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
    present,
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
