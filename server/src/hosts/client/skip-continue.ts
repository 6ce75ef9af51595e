import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

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

/** Removes complete interim responses at the beginning of the bytes. */
function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (CONTINUE.test(rest.toString('latin1', 0, STATUS_LINE_BYTES))) {
    const end = rest.indexOf(HEAD_END);
    if (end === -1) break;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

/** Returns true if more bytes are needed to decide whether this is an interim response. */
function mayBecomeContinue(bytes: Buffer): boolean {
  if (bytes.length > MAX_HEAD_BYTES) return false;
  const start = bytes.toString('latin1', 0, STATUS_LINE_BYTES);
  return CONTINUE.test(start) || ['HTTP/1.1 100 ', 'HTTP/1.0 100 '].some((text) => text.startsWith(start));
}
