import { type ApiError, errorClassFor, UnexpectedAnswerError } from '../errors/api-errors.ts';
import { retryAfterMs } from './retry-policy.ts';

/** Response of one attempt, with its body read. */
export interface ReceivedResponse {
  /** Copy of the response with a body that can be read; status 302 where a browser hides the status of a redirect. */
  readonly response: Response;
  /** Body with the access key replaced; null if the body exceeds the limit. */
  readonly text: string | null;
  /** Replaces the access key in a text. */
  readonly redact: (text: string) => string;
}

/** Reads a body as text. Stops reading and returns null if the body exceeds `maxBytes`. */
export async function readText(body: BodyInit, maxBytes: number): Promise<string | null> {
  // Other fetch functions return Node streams or text as the body; `Response` converts them to a web stream.
  const reader = (new Response(body).body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let left = maxBytes; left >= 0; ) {
    const { value } = await reader.read();
    // The last call, without bytes, flushes an incomplete character.
    text += decoder.decode(value, { stream: !!value });
    if (!value) return text;
    left -= value.length;
  }
  reader.cancel().catch(() => {});
  return null;
}

/**
 * Creates the error for a response that is not a valid success. The body may be JSON of any shape, text or empty:
 * directory endpoints send `{ error: code, message }`, operations `{ error: message, code }`, gateways problem+json. A
 * 2xx or oversized response gives an {@link UnexpectedAnswerError} without a message from its body.
 */
export function errorFromResponse({ response, text, redact }: ReceivedResponse): ApiError {
  // Redacts any access key or credential, not only this client's key. The hint "svc_live_…" is not a secret.
  const blank = (shown: string) =>
    redact(shown).replace(/svc_live_\w+|(Bearer|Basic) (?!svc_live_…)[\w.~+/=-]+/g, '[secret]');
  const body = blank(text ?? '');
  const members = Object(parseJson(body));
  const textOf = (name: string): string | null =>
    typeof members[name] === 'string' ? members[name] || null : null;
  const { ok, status, headers } = response;
  const isFailure = !ok && text !== null;
  const error = textOf('error');
  const message = textOf('message');
  const said = isFailure && (message ?? error ?? textOf('detail') ?? textOf('title'));
  headers.delete('set-cookie');
  for (const [name, value] of headers) headers.set(name, blank(value));
  const contentType = headers.get('content-type');
  const ErrorClass = isFailure ? errorClassFor(status) : UnexpectedAnswerError;
  return new ErrorClass(
    said ||
      (text === null
        ? 'Response exceeds maxAnswerBytes.'
        : `Unexpected response: ${status} ${contentType ?? 'no type'}.`),
    {
      status,
      code: (message && error) ?? textOf('code'),
      ledgerId: textOf('ledger_id'),
      retryAfterMs: retryAfterMs(headers),
      candidates: Array.isArray(members.candidates) ? members.candidates : [],
      headers,
      contentType,
      body: body.slice(0, 2048),
    },
  );
}

/** Parses JSON; returns the text itself if it is not JSON, and undefined if it is empty. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
}
