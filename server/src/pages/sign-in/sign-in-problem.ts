import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain-error.ts';
import { beginFailure, noteFailure } from '../../http/error-handler.ts';
import { problemWords } from '../../http/problem-words.ts';
import { SignInFailure } from '../../sign-in/identity-provider.ts';
import { ATTEMPT_MINUTES } from '../../sign-in/sign-in-attempt.ts';
import { signInProblemDocument } from './sign-in-documents.tsx';

const TITLES: Readonly<Record<number, string>> = {
  429: 'Too many requests',
  503: 'Not available just now',
};
const RETRY_SECONDS = 30;

/**
 * Tells on a page why a sign-in came to nothing and how to go on, and nothing more of a failure nobody foresaw. What a
 * provider did is told to the operator's log by its code.
 */
export async function answerSignInProblem(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  nextPath: string | null,
): Promise<FastifyReply> {
  if (thrown instanceof SignInFailure) {
    const { kind, reason } = thrown;
    request.log[kind === 'unavailable' ? 'warn' : 'info']({ kind, reason }, 'sign-in failed');
  }
  const error = thrown instanceof SignInFailure ? explain(thrown) : noteFailure(request.log, thrown);
  const wanted = (thrown instanceof SignInFailure ? thrown.nextPath : null) ?? nextPath;
  const title = TITLES[error.status] ?? 'This sign-in did not work';
  return beginFailure(request, reply, error)
    .type('text/html; charset=utf-8')
    .send(signInProblemDocument(title, problemWords(error, request), wanted));
}

function explain({ kind }: SignInFailure): DomainError {
  switch (kind) {
    case 'denied':
      return new DomainError(
        'forbidden',
        'You were not signed in there, or did not want to be. Nothing has changed; sign in whenever you like.',
      );
    case 'refused':
      return new DomainError(
        'invalid_request',
        `This sign-in was not begun in this browser, was ended before or is older than ${ATTEMPT_MINUTES} minutes. Sign in again from here.`,
      );
    case 'unavailable':
      return new DomainError(
        'unavailable',
        'The provider that you want to sign in with cannot be reached, or does not answer as it should. Try again in a moment; if it lasts, tell the operator of this directory.',
        { retryAfterSeconds: RETRY_SECONDS },
      );
  }
}
