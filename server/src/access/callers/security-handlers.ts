import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from './authenticate-caller.ts';

/**
 * Creates one handler per security scheme of the contract. If an operation accepts either scheme, both handlers share
 * one decision; otherwise a rejected key would be followed by a check of the cookie, whose error would be sent. Throws
 * 401; 403 if the key lacks the required scope; csrf_failed. Without the shared decision, `security-handlers.test.ts`
 * fails.
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
