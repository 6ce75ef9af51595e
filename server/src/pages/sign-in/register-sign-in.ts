import type { FastifyInstance, FastifyRequest } from 'fastify';
import { giveUpSession } from '../../callers/session.ts';
import { isWellFormedToken } from '../../callers/session-token.ts';
import { DomainError } from '../../domain-error.ts';
import { formToken, requireFormToken } from '../../http/credentials/csrf-token.ts';
import { requireSameOrigin } from '../../http/credentials/request-origin.ts';
import { clearSessionCookie } from '../../http/credentials/session-cookie.ts';
import { answerFailure } from '../../http/failures/answer-failure.ts';
import { CONSOLE } from '../../http/own-path.ts';
import { findLinkOwner, redeemSignInLink } from '../../sign-in/sign-in-link.ts';
import { acceptForms } from '../../ui/form-body.ts';
import { securePages } from '../../ui/page-headers.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { failureAsSignInPage } from './failure-as-sign-in-page.ts';
import { registerProviderSignIn } from './register-provider-sign-in.ts';
import { signInDocument, signOutDocument } from './sign-in-documents.tsx';
import {
  COUNTED,
  isSignedIn,
  nextPathOf,
  replaceSession,
  type SignInParts,
  sessionOf,
} from './sign-in-request.ts';

/** Signing in and out. Pages ask, their forms do it: no GET uses a link up or ends a session. */
export async function registerSignIn(app: FastifyInstance, parts: SignInParts): Promise<void> {
  await app.register(async (pages) => {
    // The address of a page here may hold a link's token.
    securePages(pages, { isPrivate: true });
    acceptForms(pages);
    pages.setErrorHandler((thrown, request, reply) =>
      answerFailure(thrown, request, reply, failureAsSignInPage(nextPathOf(request, parts.publicUrl))),
    );
    registerLinkSignIn(pages, parts);
    registerSignOut(pages, parts);
    registerProviderSignIn(pages, parts);
  });
}

function registerLinkSignIn(pages: FastifyInstance, parts: SignInParts): void {
  const { database, publicUrl, authentication, providers } = parts;
  pages.get<{ Querystring: { token?: unknown } }>('/sign-in', COUNTED, async (request, reply) => {
    const token = typeof request.query.token === 'string' ? request.query.token : null;
    const page = {
      token,
      linkOwner: token !== null && isWellFormedToken(token) ? await findLinkOwner(database, token) : null,
      providers: providers.map(({ name, label }) => ({ name, label })),
      nextPath: nextPathOf(request, publicUrl),
      isSignedIn: await isSignedIn(request, reply, authentication),
    };
    return sendHtml(reply, signInDocument(page));
  });
  pages.post('/sign-in', COUNTED, async (request, reply) => {
    // Else another site could sign a person in to an account of its own choosing.
    requireSameOrigin(request, publicUrl);
    const session = await redeemSignInLink(database, requireToken(request));
    await replaceSession(request, reply, { database, publicUrl, token: session.token });
    return reply.redirect(nextPathOf(request, publicUrl) ?? CONSOLE, 303);
  });
}

function registerSignOut(pages: FastifyInstance, { database, publicUrl }: SignInParts): void {
  pages.get('/sign-out', COUNTED, async (request, reply) => {
    const credential = sessionOf(request, publicUrl);
    return sendHtml(reply, signOutDocument(credential && formToken(credential)));
  });
  pages.post('/sign-out', COUNTED, async (request, reply) => {
    requireSameOrigin(request, publicUrl);
    const credential = sessionOf(request, publicUrl);
    if (credential) {
      requireFormToken(credential, request.body);
      await giveUpSession(database, credential);
    }
    clearSessionCookie(reply, publicUrl);
    return reply.redirect('/', 303);
  });
}

/** The form's token; one that no link can have is told the same as one that no link has. */
function requireToken({ body }: FastifyRequest): string {
  const token = body instanceof URLSearchParams ? (body.get('token') ?? '') : '';
  if (isWellFormedToken(token)) return token;
  throw new DomainError(
    'unauthorized',
    'The sign-in link is incomplete. Open the whole link that you were given.',
  );
}
