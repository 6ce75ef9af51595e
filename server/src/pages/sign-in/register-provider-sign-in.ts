import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setAttemptCookie, takeAttemptCookie } from '../../http/credentials/attempt-cookies.ts';
import { answerFailure } from '../../http/failures/answer-failure.ts';
import { logFailure } from '../../http/failures/log-failure.ts';
import { CONSOLE, choosingHandle, withNext } from '../../http/own-path.ts';
import type { IdentityProvider, Person } from '../../sign-in/identity-provider.ts';
import { CALLBACK_PATHS } from '../../sign-in/identity-providers.ts';
import { attemptSecrets, beginAttempt, newAttemptToken, takeAttempt } from '../../sign-in/sign-in-attempt.ts';
import { ATTEMPT_MINUTES } from '../../sign-in/sign-in-failure.ts';
import { signInPerson } from '../../sign-in/sign-in-person.ts';
import { proveBySignIn } from '../../sign-in/sign-in-proof.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { failureAsSignInPage } from './failure-as-sign-in-page.ts';
import { unknownPersonDocument } from './sign-in-documents.tsx';
import { COUNTED, isSignedIn, nextPathOf, replaceSession, type SignInParts } from './sign-in-request.ts';

/** Programs that ask for the headers of links must not begin or end a sign-in by it. */
const ROUTE = { ...COUNTED, exposeHeadRoute: false };

/**
 * Signing in with a provider: a link of our page leads there, the provider leads back. The attempt is bound to this
 * browser by a cookie of its own, and kept in the database, so that the browser may come back to another process.
 */
export function registerProviderSignIn(pages: FastifyInstance, parts: SignInParts): void {
  for (const provider of parts.providers) {
    pages.get(`/sign-in/with/${provider.name}`, ROUTE, (request, reply) =>
      setOut(request, reply, provider, parts),
    );
    pages.get(CALLBACK_PATHS[provider.name], ROUTE, (request, reply) =>
      comeBack(request, reply, provider, parts),
    );
  }
}

async function setOut(
  request: FastifyRequest,
  reply: FastifyReply,
  provider: IdentityProvider,
  { database, publicUrl, authentication }: SignInParts,
): Promise<FastifyReply> {
  const nextPath = nextPathOf(request, publicUrl);
  // Another site may lead a person to our page, but does not press its buttons.
  if (!['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site'] as string | undefined)) {
    return reply.redirect(withNext('/sign-in', nextPath), 303);
  }
  const token = newAttemptToken();
  // Who signs in again wants to show that it is them: an earlier sign-in there must not do.
  const again = await isSignedIn(request, reply, authentication);
  const secrets = attemptSecrets(token);
  const url = await provider.authorizationUrl(secrets, { again });
  await beginAttempt(database, token, { provider: provider.name, nextPath: nextPath ?? CONSOLE });
  const { state } = secrets;
  setAttemptCookie(request, reply, publicUrl, { state, token, seconds: ATTEMPT_MINUTES * 60 });
  return reply.redirect(url.href, 303);
}

async function comeBack(
  request: FastifyRequest,
  reply: FastifyReply,
  provider: IdentityProvider,
  parts: SignInParts,
): Promise<FastifyReply> {
  const { database, publicUrl } = parts;
  const query = new URL(request.url, publicUrl).searchParams;
  const state = query.get('state');
  const token = takeAttemptCookie(request, reply, publicUrl, state);
  const attempt = await takeAttempt(database, { token, provider: provider.name, state });
  return provider
    .identify(query, attempt.secrets)
    .then((person) => enter(request, reply, { provider, person, nextPath: attempt.nextPath }, parts))
    .catch((thrown) => answerFailure(thrown, request, reply, failureAsSignInPage(attempt.nextPath)));
}

async function enter(
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, person, nextPath }: { provider: IdentityProvider; person: Person; nextPath: string },
  parts: SignInParts,
): Promise<FastifyReply> {
  const { database, publicUrl, settings } = parts;
  const entered = await signInPerson(database, person, settings);
  if (entered === null) return sendHtml(reply.code(403), unknownPersonDocument(provider.label, person));
  await replaceSession(request, reply, { database, publicUrl, token: entered.token });
  await prove(request, entered.accountId, person, parts);
  return reply.redirect(entered.handle === null ? choosingHandle(nextPath) : nextPath, 303);
}

/** A person is in, whatever becomes of the proof: the next sign-in makes it. */
async function prove(
  request: FastifyRequest,
  accountId: string,
  person: Person,
  { database, backend, hosts, settings }: SignInParts,
): Promise<void> {
  await proveBySignIn(database, { backend, hosts, proves: settings.proves }, accountId, person).catch(
    (error) => logFailure(request.log, error),
  );
}
