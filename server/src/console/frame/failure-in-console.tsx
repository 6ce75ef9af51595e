import type { FastifyRequest } from 'fastify';
import type { DomainError } from '../../domain-error.ts';
import { presentedCredential, sessionCookieName } from '../../http/credentials/credential.ts';
import { formToken } from '../../http/credentials/csrf-token.ts';
import type { FailureForm } from '../../http/failures/answer-failure.ts';
import { addressKey } from '../../http/limits/client-address.ts';
import { problemDocument } from '../../ui/problem-document.tsx';
import { HTML } from '../../ui/send-html.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Page } from './answer.ts';
import { consoleDocument } from './console-document.tsx';

/** The address that asks for a sign-in and leads back to an own page afterwards. */
function signInPath(next: string): string {
  return `/sign-in?next=${encodeURIComponent(next)}`;
}

/**
 * Leads people who are not signed in, or no longer, to the sign-in and from there to the page that was wanted, but not an
 * address that tries cookie after cookie. Somebody who is signed in stays within the console; what nobody foresaw is told
 * on a plain page.
 */
export function failureInConsole({
  rateLimits,
  naming,
}: Pick<ConsoleParts, 'rateLimits' | 'naming'>): FailureForm {
  const cookieName = sessionCookieName(naming.site.origin);
  return {
    show({ error, request, words }) {
      if (error.code === 'unauthorized') return { redirectTo: signInPath(pageOf(request)) };
      const { credential, principal } = request;
      const isSignedIn = principal !== null && credential !== null;
      if (!isSignedIn || error.status === 401 || error.status >= 500) {
        return { type: HTML, body: problemDocument(error, { text: words }) };
      }
      return { type: HTML, body: consoleDocument(problemPage(error, request), formToken(credential), null) };
    },
    async countGuess({ error, request }, reply) {
      if (error.code !== 'unauthorized' || !presentedCredential(request, ['session'], cookieName)) return;
      await rateLimits.countFailedCredential(addressKey(request), reply);
    },
  };
}

/** The page that somebody was on: of a form the one that it stands on, with the parts of this path. */
function pageOf(request: FastifyRequest): string {
  const { formPage } = request.routeOptions.config;
  if (formPage === undefined) return request.url;
  const params: Readonly<Record<string, unknown>> = { ...(request.params ?? {}) };
  return formPage.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(`${params[name] ?? ''}`));
}

const TITLES: Readonly<Record<number, string>> = { 404: 'Not found', 409: 'Conflict' };

/** What went wrong, in the same words as the API, with the way on. */
function problemPage(error: DomainError, request: FastifyRequest): Page {
  const from = pageOf(request);
  const isOwnPage = request.method !== 'POST';
  const isStale = error.code === 'sign_in_again';
  const title = isStale ? 'Sign in again' : (TITLES[error.status] ?? 'Request failed');
  return {
    title,
    tab: null,
    content: (
      <>
        <h1>{title}</h1>
        <p class="lead">{error.message}</p>
        <p>
          {isStale ? (
            <a class="button primary" href={signInPath(from)}>
              Sign in again
            </a>
          ) : (
            <a class="button" href={isOwnPage ? '/console' : from}>
              {isOwnPage ? 'To the overview' : 'Back'}
            </a>
          )}
        </p>
      </>
    ),
  };
}
