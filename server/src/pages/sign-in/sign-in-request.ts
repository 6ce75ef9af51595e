import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../../callers/principal.ts';
import { giveUpSession } from '../../callers/session.ts';
import type { SignInConfig } from '../../config/sign-in-config.ts';
import type { Database } from '../../database/connect.ts';
import { DomainError } from '../../domain-error.ts';
import type { Hosts } from '../../hosts/hosts.ts';
import type { Authentication } from '../../http/credentials/authenticate-caller.ts';
import { presentedCredential, sessionCookieName } from '../../http/credentials/credential.ts';
import { setSessionCookie } from '../../http/credentials/session-cookie.ts';
import { nextPath } from '../../http/own-path.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import type { IdentityProvider } from '../../sign-in/identity-provider.ts';

/** What signing in and out is made with. */
export interface SignInParts {
  database: Database;
  /** An origin. */
  publicUrl: string;
  authentication: Authentication;
  providers: readonly IdentityProvider[];
  settings: SignInConfig;
  backend: ScoringBackend;
  hosts: Hosts;
}

/** Counted like the public pages, but no cache may keep them. */
export const COUNTED = { config: { limit: 'public', schemes: ['session'] } } as const;

/** The session that this browser presents, not judged yet. */
export function sessionOf(request: FastifyRequest, publicUrl: string): Credential | null {
  return presentedCredential(request, ['session'], sessionCookieName(publicUrl));
}

/** Whether this browser has a session that lives. */
export async function isSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  authentication: Authentication,
): Promise<boolean> {
  return authentication.authenticate(request, reply).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DomainError && error.status === 401) return false;
      throw error;
    },
  );
}

/** Hands a new session to the browser; the one that it had ends, so that nobody who knows it stays in by it. */
export async function replaceSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, publicUrl, token }: { database: Database; publicUrl: string; token: string },
): Promise<void> {
  const former = sessionOf(request, publicUrl);
  if (former) await giveUpSession(database, former);
  setSessionCookie(reply, publicUrl, token);
}

/** Where the person wants to be afterwards, by the form or the address; null where no path of ours is said. */
export function nextPathOf({ body, query }: FastifyRequest, publicUrl: string): string | null {
  const { next }: { next?: unknown } = { ...(query ?? {}) };
  return nextPath(body instanceof URLSearchParams ? body.get('next') : next, publicUrl);
}
