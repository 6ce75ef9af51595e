import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request as it is sent on. */
export interface Outgoing {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Headers that belong to one connection and not to the message on it (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

/** Prism answers at once or, should it fail to, never. */
const TIMEOUT_MS = 10_000;

/** Headers without those of the connection and those given. */
export function withoutHeaders(
  headers: IncomingHttpHeaders,
  names: readonly string[] = [],
): OutgoingHttpHeaders {
  const dropped = new Set([...HOP_BY_HOP, ...names]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

/** Sends a request and reads its answer whole. Rejects where none comes in time. */
export function exchange(
  target: URL,
  agent: Agent,
  { method, url, headers, body }: Outgoing,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = target;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const outgoing = send({ hostname, port, method, path: url, headers, agent, signal }, (incoming) => {
      buffer(incoming).then(
        (read) => resolve({ status: incoming.statusCode ?? 502, headers: incoming.headers, body: read }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
