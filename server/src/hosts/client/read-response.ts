import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';

/**
 * Reason why a request failed.
 * - `refused`: a rule forbids the address, so no connection was made.
 * - `redirected`: the response is a redirect that is not followed.
 * - `timeout`, `too_large`: the response exceeded a limit of this client.
 * - `no_answer`: DNS, connection or response failed, or the response is compressed.
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

/** Receives the pieces of a body in order. Returns false if it needs no more. */
export type TakePiece = (piece: Buffer) => boolean;

/**
 * Reads a response to its end; throws if it exceeds the limit or is compressed. With `take`, a body with status 200 is
 * not collected: `take` receives its pieces, and reading ends as soon as it needs no more.
 */
export async function readBody(
  answer: Dispatcher.ResponseData,
  maxBytes: number,
  take?: TakePiece,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const headers = flat(answer.headers);
  const isCompressed = (headers['content-encoding'] ?? 'identity') !== 'identity';
  const isTaken = take !== undefined && answer.statusCode === 200;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early destroys the response's stream and its connection.
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    if (isCompressed) break;
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new OutboundFailure('too_large', `the response is larger than ${maxBytes} bytes`);
    if (!isTaken) chunks.push(chunk);
    else if (!take(chunk)) break;
  }
  if (isCompressed)
    throw new OutboundFailure('no_answer', 'the response is compressed although that was not requested');
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

const CONTINUE = /^HTTP\/1\.[01] 100[ \r]/;
/** Bytes needed to distinguish a response from "100 Continue". */
const STATUS_LINE_BYTES = 13;
const HEAD_END = '\r\n\r\n';
const MAX_HEAD_BYTES = 16 * 1024;

/**
 * Wraps a connector so that its connections skip "100 Continue". HTTP allows a server to send this response unasked
 * (RFC 9110, 15.2), and some proxies do. undici treats it as a broken connection. undici itself skips other interim
 * responses (102, 103).
 */
export function skipContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, withoutContinue(socket));
      else callback(error, null);
    });
}

/**
 * Replaces the socket's read method by one that checks only the first bytes of each response. A write begins a
 * request, so the bytes that are read next begin a response.
 */
function withoutContinue<Kind extends Socket>(socket: Kind): Kind {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isBeforeAnswer = false;
  let held: Buffer | null = null;

  socket.write = ((...args: unknown[]) => {
    isBeforeAnswer = true;
    return write(...args);
  }) as Kind['write'];

  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || size === 0 || !isBeforeAnswer) return chunk;
      const bytes = afterContinue(held ? Buffer.concat([held, chunk]) : chunk);
      if (bytes.length > 0 && !mayBecomeContinue(bytes)) {
        isBeforeAnswer = false;
        held = null;
        return bytes;
      }
      held = bytes;
    }
  };
  return socket;
}

/** Removes complete "100 Continue" responses at the beginning of the bytes. */
function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (CONTINUE.test(rest.toString('latin1', 0, STATUS_LINE_BYTES))) {
    const end = rest.indexOf(HEAD_END);
    if (end === -1) break;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

/** Returns true if the bytes may be an incomplete "100 Continue", so that more bytes are needed. */
function mayBecomeContinue(bytes: Buffer): boolean {
  if (bytes.length > MAX_HEAD_BYTES) return false;
  const start = bytes.toString('latin1', 0, STATUS_LINE_BYTES);
  return CONTINUE.test(start) || ['HTTP/1.1 100 ', 'HTTP/1.0 100 '].some((text) => text.startsWith(start));
}
