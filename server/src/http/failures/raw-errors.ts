import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { v4 as uuidv4 } from 'uuid';
import { DomainError } from '../../domain-error.ts';
import { directoryErrorBody, METERED_PREFIX, meteredErrorBody } from './error-body.ts';
import { toDomainError } from './note-failure.ts';

function bodyFor(error: DomainError, url: string): string {
  return JSON.stringify(
    url.startsWith(METERED_PREFIX) ? meteredErrorBody(error, null) : directoryErrorBody(error),
  );
}

/** Answers what fastify's router refuses before any hook runs (a malformed escape, an endless parameter) in our shape. */
export function answerFrameworkError(
  thrown: unknown,
  request: { raw: IncomingMessage },
  reply: { raw: ServerResponse },
): void {
  const error = toDomainError(thrown);
  reply.raw.writeHead(error.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': uuidv4(),
  });
  reply.raw.end(bodyFor(error, request.raw.url ?? ''));
}

/** Answers what Node's parser refuses (broken request lines, headers too large) and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = tooLarge
    ? '431 Request Header Fields Too Large'
    : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : '400 Bad Request';
  const message = tooLarge
    ? 'The address or the headers are too long.'
    : 'The request could not be read as HTTP.';
  const body = bodyFor(new DomainError('invalid_request', message), '').replace(
    '"status":400',
    `"status":${Number.parseInt(status, 10)}`,
  );
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\nX-Request-Id: ${uuidv4()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Answers an `Expect` header that asks for something unknown; Node would answer it without a body. */
export function answerUnknownExpectation(request: IncomingMessage, response: ServerResponse): void {
  const error = new DomainError(
    'invalid_request',
    'The Expect header asks for something this service does not know.',
  );
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(417, { ...headers, 'X-Request-Id': uuidv4() });
  response.end(bodyFor(error, request.url ?? '').replace('"status":400', '"status":417'));
}
