import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from './authenticate-caller.ts';

/**
 * One handler per security scheme of the contract. Where an operation takes either scheme both handlers come to one
 * decision, made once: asked in turn, a refused key would be followed by a look at the cookie, and the last refusal
 * would be the answer. Throws 401; 403 where the key lacks the scope that the contract names; csrf_failed.
 */
export function createSecurityHandlers(authentication: Authentication) {
  const decisions = new WeakMap<FastifyRequest, Promise<unknown>>();

  async function decide(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { judgesCredential = false } = request.routeOptions.config;
    return judgesCredential ? authentication.present(request) : authentication.authenticate(request, reply);
  }

  async function once(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const decision = decisions.get(request) ?? decide(request, reply);
    decisions.set(request, decision);
    await decision;
  }

  return { accessKey: once, session: once };
}
