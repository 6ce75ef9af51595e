import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from '../../domain-error.ts';
import { noteFailure, toDomainError } from './note-failure.ts';
import { problemWords } from './problem-words.ts';

/** A failure that is to be shown. */
interface Failure {
  error: DomainError;
  request: FastifyRequest;
  /** What a person is told of it; a program is told the error's own message. */
  words: string;
}

/** A failure as a body of some type, or another page that leads on. */
type ShownFailure =
  | { type: string; body: string | object; headers?: Readonly<Record<string, string>> }
  | { redirectTo: string };

/** How a part of the server shows its failures: as JSON, as a page, as a page of the console. */
export interface FailureForm {
  show(failure: Failure): ShownFailure;
  /** Counts a refused credential against the address that it came from; throws rate_limited. Absent: nothing is counted. */
  countGuess?(failure: Omit<Failure, 'words'>, reply: FastifyReply): Promise<void>;
  /** A 401 names the scheme that would let its sender in, where that is one of HTTP: a session is none. */
  challenges?: boolean;
}

/**
 * Answers a failure, whatever it is and for everybody: the one place that decides its status, headers, code and words,
 * and what is logged of it. The form draws what was decided.
 */
export async function answerFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  form: FailureForm,
): Promise<FastifyReply> {
  let error = noteFailure(request.log, thrown);
  await form.countGuess?.({ error, request }, reply).catch((limited: unknown) => {
    error = toDomainError(limited);
  });
  const { allow, ledgerId, retryAfterSeconds } = error.details;
  request.errorCode = error.code;
  request.ledgerId ??= ledgerId ?? null;
  reply.code(error.status).header('Cache-Control', 'no-store');
  if (retryAfterSeconds) reply.header('Retry-After', retryAfterSeconds);
  if (allow) reply.header('Allow', allow.join(', '));
  const takesKey = request.routeOptions.config.schemes?.includes('accessKey') ?? true;
  if (form.challenges && error.status === 401 && takesKey) reply.header('WWW-Authenticate', 'Bearer');
  const shown = form.show({ error, request, words: problemWords(error, request) });
  if ('redirectTo' in shown) return reply.redirect(shown.redirectTo, 303);
  return reply
    .headers(shown.headers ?? {})
    .type(shown.type)
    .send(shown.body);
}
