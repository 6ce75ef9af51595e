import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endSession, isWellFormedToken } from '../accounts/session.ts';
import { redeemSignInLink } from '../accounts/sign-in-link.ts';
import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { presentedCredential, sessionCookieName } from '../http/credential.ts';
import { requireSameOrigin } from '../http/csrf.ts';
import { formToken, requireFormToken } from '../http/form-token.ts';
import { clearSessionCookie, setSessionCookie } from '../http/session-cookie.ts';
import { authenticate } from '../keys/authenticate.ts';
import type { Credential } from '../keys/principal.ts';
import { signInDocument, signOutDocument } from './documents.tsx';
import { acceptForms } from './form-body.ts';

/** Counted like the public pages, but no cache may keep them. */
const COUNTED = { config: { limit: 'public' } } as const;

interface SignInParts {
  database: Database;
  /** An origin. */
  publicUrl: string;
}

/** Signing in with a link and signing out. Pages ask, their forms do it: no GET uses a link up or ends a session. */
export async function registerSignIn(app: FastifyInstance, parts: SignInParts): Promise<void> {
  await app.register(async (pages) => {
    acceptForms(pages);
    pages.addHook('onRequest', async (_request, reply) => {
      // The address holds the link's token: it is for no other site, store or index.
      reply.headers({
        'Referrer-Policy': 'same-origin',
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex',
      });
    });
    registerPair(pages, parts);
  });
}

function registerPair(pages: FastifyInstance, { database, publicUrl }: SignInParts): void {
  pages.get<{ Querystring: { token?: unknown } }>('/sign-in', COUNTED, async ({ query }, reply) =>
    sendHtml(reply, signInDocument(typeof query.token === 'string' ? query.token : null)),
  );
  pages.post('/sign-in', COUNTED, async (request, reply) => {
    // Else another site could sign a person in to an account of its own choosing.
    requireSameOrigin(request, publicUrl);
    const session = await redeemSignInLink(database, requireToken(request));
    setSessionCookie(reply, publicUrl, session.token);
    return reply.redirect('/', 303);
  });
  pages.get('/sign-out', COUNTED, async (request, reply) => {
    const credential = sessionOf(request, publicUrl);
    return sendHtml(reply, signOutDocument(credential && formToken(credential)));
  });
  pages.post('/sign-out', COUNTED, async (request, reply) => {
    requireSameOrigin(request, publicUrl);
    const credential = sessionOf(request, publicUrl);
    if (credential) {
      requireFormToken(credential, request.body);
      await endIfAlive(database, credential);
    }
    clearSessionCookie(reply, publicUrl);
    return reply.redirect('/', 303);
  });
}

function sessionOf(request: FastifyRequest, publicUrl: string): Credential | null {
  return presentedCredential(request, ['session'], sessionCookieName(publicUrl));
}

/** The form's token; one that no link can have is told the same as one that no link has. */
function requireToken({ body }: FastifyRequest): string {
  const token = body instanceof URLSearchParams ? (body.get('token') ?? '') : '';
  if (isWellFormedToken(token)) return token;
  throw new DomainError(
    'unauthorized',
    'The sign-in link is incomplete. Open it again as it was given to you.',
  );
}

/** A session that is over already needs no end. */
async function endIfAlive(database: Database, credential: Credential): Promise<void> {
  const principal = await authenticate(database, credential, null).catch((error) => {
    if (error instanceof DomainError && error.status === 401) return null;
    throw error;
  });
  if (principal?.sessionId) await endSession(database, principal.sessionId);
}

function sendHtml(reply: FastifyReply, document: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(document);
}
