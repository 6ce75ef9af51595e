import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from '../../domain-error.ts';
import { addressKey } from '../../http/client-address.ts';
import { presentedCredential, sessionCookieName } from '../../http/credential.ts';
import { beginFailure, noteFailure, toDomainError } from '../../http/error-handler.ts';
import { problemWords } from '../../http/problem-words.ts';
import { problemDocument } from '../../ui/problem-document.tsx';
import type { ConsoleParts } from '../console-parts.ts';
import type { Page } from './answer.ts';

/** The address that asks for a sign-in and leads back to an own page afterwards. */
export function signInPath(next: string): string {
  return `/sign-in?next=${encodeURIComponent(next)}`;
}

/**
 * Leads whoever is not signed in, or no longer, to the sign-in and from there to the page that was wanted, but not one
 * address that tries cookie after cookie; tells of everything else what went wrong, and nothing more of a failure nobody
 * foresaw.
 */
export async function answerConsoleProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { rateLimits, naming }: Pick<ConsoleParts, 'rateLimits' | 'naming'>,
): Promise<FastifyReply> {
  let error = noteFailure(request.log, thrown);
  const cookieName = sessionCookieName(naming.site.origin);
  if (error.code === 'unauthorized' && presentedCredential(request, ['session'], cookieName)) {
    await rateLimits.countFailedCredential(addressKey(request), reply).catch((limited) => {
      error = toDomainError(limited);
    });
  }
  const failed = beginFailure(request, reply, error);
  if (error.code === 'unauthorized') return failed.redirect(signInPath(pageOf(request)), 303);
  return failed
    .type('text/html; charset=utf-8')
    .send(problemDocument(error, { text: problemWords(error, request) }));
}

/** The page that somebody was on: of a form the one that it stands on, with the parts of this very path. */
function pageOf(request: FastifyRequest): string {
  const { formPage } = request.routeOptions.config;
  if (formPage === undefined) return request.url;
  const params = (request.params ?? {}) as Record<string, string>;
  return formPage.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

const TITLES: Readonly<Record<number, string>> = { 404: 'Not found', 409: 'Not possible as it stands' };

/** What went wrong, in the same words as the API, with the way on. */
export function problemPage(error: DomainError, request: FastifyRequest): Page {
  const from = pageOf(request);
  const isOwnPage = request.method !== 'POST';
  const isStale = error.code === 'sign_in_again';
  const title = isStale ? 'Sign in again' : (TITLES[error.status] ?? 'That did not work');
  return {
    title,
    tab: null,
    status: error.status,
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
