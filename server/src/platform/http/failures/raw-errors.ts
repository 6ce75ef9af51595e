import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { v4 as uuidv4 } from 'uuid';
import { DomainError } from '../../errors/domain-error.ts';
import { acceptsHtml } from '../redirect-paths.ts';
import { toDomainError } from './map-failure.ts';
import { directoryErrorBody, METERED_PREFIX, meteredErrorBody } from './send-failure.ts';

interface RawAnswer {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Function that formats an error as a page, for requests that are rejected before any hook runs. */
export type RawErrorPage = (error: DomainError) => RawAnswer;

/** Handlers that answer requests which Fastify's router or Node rejects before any hook runs. */
export interface RawErrors {
  frameworkErrors(thrown: unknown, request: { raw: IncomingMessage }, reply: { raw: ServerResponse }): void;
  clientErrorHandler(error: UnreadError, socket: Socket): void;
  answerUnknownExpectation(request: IncomingMessage, response: ServerResponse): void;
}

/** Parser error of Node, with the bytes read so far. */
interface UnreadError extends NodeJS.ErrnoException {
  rawPacket?: unknown;
}

interface Refused {
  error: DomainError;
  /** HTTP status, if it differs from that of the error's code in the catalogue. */
  status?: number;
  url?: string | undefined;
  isForPage: boolean;
}

/**
 * Creates the handlers of requests that are rejected before any hook. They send pages to browsers if a page format is
 * given, otherwise JSON in the shape of the route.
 */
export function rawErrors(refusedAsPage?: RawErrorPage): RawErrors {
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
    /** Answers addresses with malformed escapes or overlong parameters. */
    frameworkErrors(thrown, { raw: request }, { raw: response }) {
      send(response, { error: toDomainError(thrown), url: request.url, isForPage: wantsPage(request) });
    },

    /**
     * Answers requests that Node cannot parse, that have oversized headers, or that arrive too slowly, and closes the
     * connection.
     */
    clientErrorHandler(thrown, socket) {
      if (thrown.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
      const { status, reason, error } = unread(thrown.code);
      const { headers, body } = draw({ error, status, isForPage: acceptsHtml(acceptOf(thrown.rawPacket)) });
      const lines = Object.entries({
        Connection: 'close',
        ...commonHeaders(),
        ...headers,
        'Content-Length': Buffer.byteLength(body),
      }).map(([name, value]) => `${name}: ${value}`);
      socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    },

    /** Answers a request with an unknown `Expect` header, which Node would reject without a body. */
    answerUnknownExpectation(request, response) {
      const error = new DomainError(
        'invalid_request',
        'The Expect header asks for something this service does not know.',
      );
      send(response, { error, status: 417, url: request.url, isForPage: wantsPage(request) });
    },
  };
}

/** Returns true for requests of browsers, except below `/api`, where failures are always JSON. */
const wantsPage = (request: IncomingMessage) =>
  !/^\/api(?:[/?]|$)/.test(request.url ?? '') && acceptsHtml(request);

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

/** Extracts the Accept header from a partly read request. */
function acceptOf(packet: unknown): Pick<IncomingMessage, 'headers'> {
  const text = Buffer.isBuffer(packet) ? packet.toString('latin1') : '';
  const [, accept] = text.match(/^accept:([^\r\n]*)/im) ?? [];
  return { headers: accept === undefined ? {} : { accept } };
}
