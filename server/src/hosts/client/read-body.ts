import type { Dispatcher } from 'undici';

/**
 * Reason of a failed request. `refused`: a rule forbids the address, so no connection was made. `redirected`: the
 * response is a redirect. `timeout`, `too_large`: the response exceeded a limit of this client. `no_answer`: DNS,
 * connection or response failed.
 */
export type OutboundFailureKind = 'refused' | 'redirected' | 'timeout' | 'too_large' | 'no_answer';

/** Thrown when a request to another server fails. Its message is for the log and quotes nothing of the response. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly kind: OutboundFailureKind;

  constructor(kind: OutboundFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Reads a response to its end; throws if it exceeds the limit. */
export async function readBody(
  answer: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const headers = flat(answer.headers);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early destroys the response's stream and its connection.
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new OutboundFailure('too_large', `the response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new OutboundFailure('no_answer', 'the response is compressed although that was not requested');
  }
  return { status: answer.statusCode, headers, body: Buffer.concat(chunks).toString('utf8') };
}

/** Returns the first value of each header. None of the headers that are used may occur twice. */
function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? [] : [[name.toLowerCase(), first] as const];
  });
  return Object.fromEntries(entries);
}
