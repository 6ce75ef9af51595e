import { type ApiError, classOf, UnexpectedAnswerError } from '../errors/api-errors.ts';
import type { CallTrace } from '../errors/errors.ts';
import type { Exchange } from './exchange.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * The error for an answer that can't be used. Its body may be JSON of any shape — `{ error: word, message }` of the
 * directory, `{ error: sentence, code }` of operations, problem+json —, a text, or nothing. The text of
 * an answer that looks like a success, or is too long, explains nothing.
 */
export function errorOfAnswer({ answer, status, text, redact }: Exchange, trace: CallTrace): ApiError {
  // Anything that looks like a secret is removed too, not only our own key. A hint names a key as "svc_live_…".
  const blank = (shown: string) =>
    redact(shown).replace(/svc_live_\w+|(Bearer|Basic) (?!svc_live_…)[\w.~+/=-]+/g, '[secret]');
  const body = blank(text ?? '');
  const members = Object(parsed(body));
  const [error, message, code, ledgerId] = ['error', 'message', 'code', 'ledger_id'].map((name) =>
    textOf(members[name]),
  );
  const isFailure = !answer.ok && text !== null;
  const said = isFailure && (message ?? error ?? textOf(members.detail ?? members.title));
  const headers = new Headers(answer.headers);
  headers.delete('set-cookie');
  headers.forEach((value, name) => void headers.set(name, blank(value)));
  const contentType = headers.get('content-type');
  const ErrorClass = isFailure ? classOf(status) : UnexpectedAnswerError;
  return new ErrorClass(
    said ||
      (text === null
        ? 'The answer exceeds maxAnswerBytes.'
        : `Unexpected answer (${status}, ${contentType ?? 'no type'}).`),
    {
      ...trace,
      status,
      code: (message && error) ?? code,
      ledgerId,
      retryAfterMs: retryAfterMs(headers),
      candidates: Array.isArray(members.candidates) ? members.candidates : [],
      headers,
      contentType,
      body: body.slice(0, 2048),
    },
  );
}

/** What a text says as JSON; the text itself where it is none, undefined where it is empty. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
}

/** A text; null where the value is empty or something else. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value || null : null;
}
