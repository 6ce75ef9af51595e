import { ApiError, errorOfStatus, UnexpectedAnswerError } from './api-errors.ts';
import type { Exchange } from './attempts.ts';
import type { CallTrace } from './errors.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * The error for an answer that can't be used. `body` is parsed JSON of any shape — `{ error: word, message }` of the
 * directory, `{ error: sentence, code }` of operations, problem+json —, a text, or undefined where there was none.
 */
export function errorOfAnswer({ answer, status }: Exchange, body: unknown, trace: CallTrace): ApiError {
  const members = Object(body);
  const error = textOf(members.error);
  const message = textOf(members.message);
  const ErrorClass = answer.ok ? UnexpectedAnswerError : (errorOfStatus[status] ?? ApiError);
  return new ErrorClass(
    message ?? error ?? textOf(members.detail ?? members.title) ?? `Unexpected answer (${status}).`,
    {
      ...trace,
      status,
      code: (message && error) ?? textOf(members.code),
      ledgerId: textOf(members.ledger_id),
      retryAfterMs: retryAfterMs(answer.headers),
      candidates: Array.isArray(members.candidates) ? members.candidates : [],
    },
  );
}

/** A text; null where the value is empty or something else. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value || null : null;
}
