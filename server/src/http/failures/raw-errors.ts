import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { v4 as uuidv4 } from 'uuid';
import { DomainError } from '../../domain-error.ts';
import { readsPages } from '../reads-pages.ts';
import { directoryErrorBody, METERED_PREFIX, meteredErrorBody } from './error-body.ts';
import { toDomainError } from './note-failure.ts';

interface RawAnswer {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** How somebody at a browser is told of a request that was refused before any hook ran. */
export type RefusedAsPage = (error: DomainError) => RawAnswer;

/** What is answered where no hook runs: fastify's router refuses, or Node does. */
export interface RawErrors {
  frameworkErrors(thrown: unknown, request: { raw: IncomingMessage }, reply: { raw: ServerResponse }): void;
  clientErrorHandler(error: UnreadError, socket: Socket): void;
  answerUnknownExpectation(request: IncomingMessage, response: ServerResponse): void;
}

/** What Node's parser gave up on, with what it had read by then. */
interface UnreadError extends NodeJS.ErrnoException {
  rawPacket?: unknown;
}

interface Refused {
  error: DomainError;
  /** Where the catalogue does not have it. */
  status?: number;
  url?: string | undefined;
  isForPage: boolean;
}

/** Such answers: pages to browsers where there is a form of them, else JSON in the shape of the route. */
export function rawErrors(refusedAsPage?: RefusedAsPage): RawErrors {
  function draw({ error, status = error.status, url = '', isForPage }: Refused): RawAnswer {
    if (refusedAsPage && isForPage) return refusedAsPage(error);
    const body = url.startsWith(METERED_PREFIX)
      ? meteredErrorBody(error, null)
      : { ...directoryErrorBody(error), status };
    return {
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
    };
  }

  function send(response: ServerResponse, refused: Refused): void {
    const { headers, body } = draw(refused);
    response.writeHead(refused.status ?? refused.error.status, { ...commonHeaders(), ...headers });
    response.end(body);
  }

  return {
    /** A malformed escape, an endless parameter. */
    frameworkErrors(thrown, { raw: request }, { raw: response }) {
      send(response, { error: toDomainError(thrown), url: request.url, isForPage: wantsPage(request) });
    },

    /** Broken request lines, headers too large: the connection is closed. */
    clientErrorHandler(thrown, socket) {
      if (thrown.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
      const { status, reason, error } = unread(thrown.code);
      const { headers, body } = draw({ error, status, isForPage: readsPages(acceptOf(thrown.rawPacket)) });
      const lines = Object.entries({
        Connection: 'close',
        ...commonHeaders(),
        ...headers,
        'Content-Length': Buffer.byteLength(body),
      }).map(([name, value]) => `${name}: ${value}`);
      socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    },

    /** An `Expect` header that asks for something unknown; Node would answer it without a body. */
    answerUnknownExpectation(request, response) {
      const error = new DomainError(
        'invalid_request',
        'The Expect header asks for something this service does not know.',
      );
      send(response, { error, status: 417, url: request.url, isForPage: wantsPage(request) });
    },
  };
}

/** Programs ask below `/api`, where a failure is JSON whatever the request accepts. */
const wantsPage = (request: IncomingMessage) =>
  !/^\/api(?:[/?]|$)/.test(request.url ?? '') && readsPages(request);

function commonHeaders() {
  return { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': uuidv4() };
}

function unread(code: string | undefined): { status: number; reason: string; error: DomainError } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const text =
      'The address and the headers are too long. Shorten the address; in a browser, delete the cookies of this site.';
    return {
      status: 431,
      reason: 'Request Header Fields Too Large',
      error: new DomainError('uri_too_long', text),
    };
  }
  const error = new DomainError('invalid_request', 'The request could not be read as HTTP.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, reason: 'Request Timeout', error };
  return { status: 400, reason: 'Bad Request', error };
}

/** What a request that was read in part wants, as far as that was read. */
function acceptOf(packet: unknown): Pick<IncomingMessage, 'headers'> {
  const text = Buffer.isBuffer(packet) ? packet.toString('latin1') : '';
  const [, accept] = text.match(/^accept:([^\r\n]*)/im) ?? [];
  return { headers: accept === undefined ? {} : { accept } };
}
