import type { FastifyRequest } from 'fastify';
import type { DomainError } from '../../../platform/errors/domain-error.ts';
import {
  formToken,
  presentedCredential,
  sessionCookieName,
} from '../../../platform/http/credentials/credential.ts';
import type { FailureFormat } from '../../../platform/http/failures/send-failure.ts';
import { addressKey } from '../../../platform/http/limits/rate-limits.ts';
import { problemDocument } from '../../components/problem.page.tsx';
import { HTML } from '../../components/send-html.ts';
import { consoleDocument } from './console-document.tsx';
import type { Page } from './console-response.ts';
import type { ConsoleDependencies } from './console-router.ts';

/** Returns the sign-in path that leads back to this page afterwards. */
function signInPath(next: string): string {
  return `/sign-in?next=${encodeURIComponent(next)}`;
}

/**
 * Shows failures of the console. Redirects visitors without a valid session to the sign-in and back. Counts an invalid
 * session cookie against the rate limit of the client's address. Signed-in visitors see the failure in the console's
 * layout, but server errors on a plain page.
 */
export function consoleFailurePage({
  rateLimits,
  publicUrls,
}: Pick<ConsoleDependencies, 'rateLimits' | 'publicUrls'>): FailureFormat {
  const cookieName = sessionCookieName(publicUrls.site.origin);
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
    async countFailedCredential({ error, request }, reply) {
      if (error.code !== 'unauthorized' || !presentedCredential(request, ['session'], cookieName)) return;
      await rateLimits.countFailedCredential(addressKey(request), reply);
    },
  };
}

/** Returns the page of the request; for a form, the page that contains it, with this path's parameters. */
function pageOf(request: FastifyRequest): string {
  const { formPage } = request.routeOptions.config;
  if (formPage === undefined) return request.url;
  const params: Readonly<Record<string, unknown>> = { ...(request.params ?? {}) };
  return formPage.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(`${params[name] ?? ''}`));
}

const TITLES: Readonly<Record<number, string>> = { 404: 'Not found', 409: 'Conflict' };

/** Shows the API's error message with a link to continue. */
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
              {isOwnPage ? 'Go to the overview' : 'Back'}
            </a>
          )}
        </p>
      </>
    ),
  };
}
