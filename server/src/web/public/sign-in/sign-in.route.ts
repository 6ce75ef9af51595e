import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../../access/callers/authenticate-caller.ts';
import { endPresentedSession } from '../../../access/callers/session.ts';
import type { IdentityProvider, Person } from '../../../accounts/sign-in/identity-provider.ts';
import { CALLBACK_PATHS } from '../../../accounts/sign-in/identity-providers.ts';
import {
  ATTEMPT_MINUTES,
  attemptSecrets,
  beginAttempt,
  consumeAttempt,
  newAttemptToken,
} from '../../../accounts/sign-in/sign-in-attempt.ts';
import { signInPerson } from '../../../accounts/sign-in/sign-in-identity.ts';
import { findLinkOwner, redeemSignInLink } from '../../../accounts/sign-in/sign-in-link.ts';
import { proveBySignIn } from '../../../accounts/sign-in/sign-in-proof.ts';
import type { Hosts } from '../../../hosts/create-hosts.ts';
import type { SignInConfig } from '../../../platform/config/sign-in-config.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import {
  clearSessionCookie,
  consumeAttemptCookie,
  setAttemptCookie,
  setSessionCookie,
} from '../../../platform/http/credentials/attempt-cookies.ts';
import {
  formToken,
  presentedCredential,
  requireFormToken,
  requireSameOrigin,
  sessionCookieName,
} from '../../../platform/http/credentials/credential.ts';
import type { Credential } from '../../../platform/http/credentials/principal.ts';
import { isWellFormedToken } from '../../../platform/http/credentials/secret.ts';
import { logFailure } from '../../../platform/http/failures/log-failure.ts';
import { sendFailure } from '../../../platform/http/failures/send-failure.ts';
import { CONSOLE, chooseHandlePath, nextPath, withNext } from '../../../platform/http/redirect-paths.ts';
import type { ScoringBackend } from '../../../scoring/scoring-backend.ts';
import { acceptForms, securePages, sendHtml } from '../../components/send-html.ts';
import {
  signInDocument,
  signInFailurePage,
  signOutDocument,
  unknownPersonDocument,
} from './sign-in.page.tsx';

/** Dependencies of sign-in and sign-out. */
interface SignInDependencies {
  database: Database;
  /** Public origin of this site. */
  publicUrl: string;
  authentication: Authentication;
  providers: readonly IdentityProvider[];
  settings: SignInConfig;
  backend: ScoringBackend;
  hosts: Hosts;
}

/** Route options: the rate limit of the public pages; responses are not cached. */
const SIGN_IN_ROUTE = { config: { limit: 'public', schemes: ['session'] } } as const;

/** Returns the session credential in the browser's cookie, without verifying it; null if there is none. */
function presentedSession(request: FastifyRequest, publicUrl: string): Credential | null {
  return presentedCredential(request, ['session'], sessionCookieName(publicUrl));
}

/** Returns whether the browser has a valid session. */
async function isSignedIn(
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

/**
 * Sets a new session and ends the browser's previous one, so that a stolen copy of the previous cookie stops working.
 */
async function replaceSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, publicUrl, token }: { database: Database; publicUrl: string; token: string },
): Promise<void> {
  const former = presentedSession(request, publicUrl);
  if (former) await endPresentedSession(database, former);
  setSessionCookie(reply, publicUrl, token);
}

/** Returns the path to continue to after sign-in, from the form or the URL's query; null unless it is on this site. */
function nextPathOf({ body, query }: FastifyRequest, publicUrl: string): string | null {
  const { next }: { next?: unknown } = { ...(query ?? {}) };
  return nextPath(body instanceof URLSearchParams ? body.get('next') : next, publicUrl);
}

/** Route options without HEAD, because link checkers must not start or complete a sign-in. */
const ROUTE = { ...SIGN_IN_ROUTE, exposeHeadRoute: false };

/**
 * Registers two routes for each identity provider: one redirects to the provider, the other is the provider's callback.
 * A cookie binds the attempt to this browser. The attempt is in the database, so any process can handle the callback.
 */
function registerProviderSignIn(pages: FastifyInstance, parts: SignInDependencies): void {
  for (const provider of parts.providers) {
    pages.get(`/sign-in/with/${provider.name}`, ROUTE, (request, reply) =>
      startSignIn(request, reply, provider, parts),
    );
    pages.get(CALLBACK_PATHS[provider.name], ROUTE, (request, reply) =>
      handleCallback(request, reply, provider, parts),
    );
  }
}

async function startSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  provider: IdentityProvider,
  { database, publicUrl, authentication }: SignInDependencies,
): Promise<FastifyReply> {
  const nextPath = nextPathOf(request, publicUrl);
  // Another site may link to the sign-in page, but must not start a sign-in.
  if (!['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site'] as string | undefined)) {
    return reply.redirect(withNext('/sign-in', nextPath), 303);
  }
  const token = newAttemptToken();
  // If the person is already signed in here, ask the provider to authenticate again instead of using its own session.
  const again = await isSignedIn(request, reply, authentication);
  const secrets = attemptSecrets(token);
  const url = await provider.authorizationUrl(secrets, { again });
  await beginAttempt(database, token, { provider: provider.name, nextPath: nextPath ?? CONSOLE });
  const { state } = secrets;
  setAttemptCookie(request, reply, publicUrl, { state, token, seconds: ATTEMPT_MINUTES * 60 });
  return reply.redirect(url.href, 303);
}

async function handleCallback(
  request: FastifyRequest,
  reply: FastifyReply,
  provider: IdentityProvider,
  parts: SignInDependencies,
): Promise<FastifyReply> {
  const { database, publicUrl } = parts;
  const query = new URL(request.url, publicUrl).searchParams;
  const state = query.get('state');
  const token = consumeAttemptCookie(request, reply, publicUrl, state);
  const attempt = await consumeAttempt(database, { token, provider: provider.name, state });
  return provider
    .identify(query, attempt.secrets)
    .then((person) => completeSignIn(request, reply, { provider, person, nextPath: attempt.nextPath }, parts))
    .catch((thrown) => sendFailure(thrown, request, reply, signInFailurePage(attempt.nextPath)));
}

async function completeSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, person, nextPath }: { provider: IdentityProvider; person: Person; nextPath: string },
  parts: SignInDependencies,
): Promise<FastifyReply> {
  const { database, publicUrl, settings } = parts;
  const entered = await signInPerson(database, person, settings);
  if (entered === null) return sendHtml(reply.code(403), unknownPersonDocument(provider.label, person));
  await replaceSession(request, reply, { database, publicUrl, token: entered.token });
  await prove(request, entered.accountId, person, parts);
  return reply.redirect(entered.handle === null ? chooseHandlePath(nextPath) : nextPath, 303);
}

/**
 * Uses this sign-in as proof that the customer account owns the person's external account. A failure is only logged,
 * because the next sign-in retries the proof.
 */
async function prove(
  request: FastifyRequest,
  accountId: string,
  person: Person,
  { database, backend, hosts, settings }: SignInDependencies,
): Promise<void> {
  await proveBySignIn(database, { backend, hosts, proves: settings.proves }, accountId, person).catch(
    (error) => logFailure(request.log, error),
  );
}

/** Registers sign-in and sign-out. Only POST redeems a link or ends a session. */
export async function registerSignInPages(app: FastifyInstance, parts: SignInDependencies): Promise<void> {
  await app.register(async (pages) => {
    // URLs of these pages may contain a sign-in token, so caches, search engines and other sites must not get them.
    securePages(pages, { isPrivate: true });
    acceptForms(pages);
    pages.setErrorHandler((thrown, request, reply) =>
      sendFailure(thrown, request, reply, signInFailurePage(nextPathOf(request, parts.publicUrl))),
    );
    registerLinkSignIn(pages, parts);
    registerSignOut(pages, parts);
    registerProviderSignIn(pages, parts);
  });
}

function registerLinkSignIn(pages: FastifyInstance, parts: SignInDependencies): void {
  const { database, publicUrl, authentication, providers } = parts;
  pages.get<{ Querystring: { token?: unknown } }>('/sign-in', SIGN_IN_ROUTE, async (request, reply) => {
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
  pages.post('/sign-in', SIGN_IN_ROUTE, async (request, reply) => {
    // Without this check, another site could sign a visitor in to an account that the site has chosen.
    requireSameOrigin(request, publicUrl);
    const session = await redeemSignInLink(database, requireToken(request));
    await replaceSession(request, reply, { database, publicUrl, token: session.token });
    return reply.redirect(nextPathOf(request, publicUrl) ?? CONSOLE, 303);
  });
}

function registerSignOut(pages: FastifyInstance, { database, publicUrl }: SignInDependencies): void {
  pages.get('/sign-out', SIGN_IN_ROUTE, async (request, reply) => {
    const credential = presentedSession(request, publicUrl);
    return sendHtml(reply, signOutDocument(credential && formToken(credential)));
  });
  pages.post('/sign-out', SIGN_IN_ROUTE, async (request, reply) => {
    requireSameOrigin(request, publicUrl);
    const credential = presentedSession(request, publicUrl);
    if (credential) {
      requireFormToken(credential, request.body);
      await endPresentedSession(database, credential);
    }
    clearSessionCookie(reply, publicUrl);
    return reply.redirect('/', 303);
  });
}

/** Returns the form's sign-in token. Throws the error `unauthorized` if the token is missing or malformed. */
function requireToken({ body }: FastifyRequest): string {
  const token = body instanceof URLSearchParams ? (body.get('token') ?? '') : '';
  if (isWellFormedToken(token)) return token;
  throw new DomainError(
    'unauthorized',
    'The sign-in link is incomplete. Open the whole link that you were given.',
  );
}
