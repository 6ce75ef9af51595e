import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from '../callers/authenticate.ts';
import type { LastUsed } from '../callers/last-used.ts';
import type { Scope } from '../callers/principal.ts';
import type { Database } from '../database/connect.ts';
import { requireCredential, sessionCookieName } from './credential.ts';
import { requireSameOrigin } from './csrf.ts';

/**
 * One handler per security scheme of the contract. Where an operation takes either scheme both handlers come to one
 * decision, made once: asked in turn, a refused key would be followed by a look at the cookie, and the last refusal
 * would be the answer. Throws 401; 403 where the key lacks the scope that the contract names; csrf_failed.
 */
export function createSecurityHandlers(database: Database, publicUrl: string, lastUsed: LastUsed) {
  const cookieName = sessionCookieName(publicUrl);
  const decisions = new WeakMap<FastifyRequest, Promise<void>>();

  async function decide(request: FastifyRequest): Promise<void> {
    const { schemes = [], scopes = [], judgesCredential = false } = request.routeOptions.config;
    request.credential = requireCredential(request, schemes, cookieName);
    if (judgesCredential) return;
    const [scope = null] = scopes;
    request.principal = await authenticate(database, request.credential, scope as Scope | null);
    request.keyId = request.principal.keyId;
    if (request.keyId !== null) lastUsed.note(request.keyId);
    if (request.credential.kind === 'session') requireSameOrigin(request, publicUrl);
  }

  function once(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
    const decision = decisions.get(request) ?? decide(request);
    decisions.set(request, decision);
    return decision;
  }

  return { accessKey: once, session: once };
}
