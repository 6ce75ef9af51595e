import { connect } from 'node:net';

const HEADERS_END = Buffer.from('\r\n\r\n');

/** Formats a request as HTTP/1.1 text. */
export function requestText({ method = 'GET', path, headers = {}, body = '' }, { host }) {
  const all = { Host: host, ...headers, ...(body && { 'Content-Length': Buffer.byteLength(body) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Sends requests one after the other on one connection. It uses no client library, so that the cost of the load itself
 * stays small. `next` returns the text of each request, or undefined at the end; `seen` gets each body with its
 * milliseconds. Rejects if a status is not 200.
 */
export function askInTurn({ hostname, port }, next, seen) {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  return new Promise((resolve, reject) => {
    let chunks = [];
    let size = 0;
    let whole = -1;
    let bodyAt = 0;
    let sentAt = 0;
    const send = () => {
      const text = next();
      if (text === undefined) return socket.end(resolve);
      sentAt = performance.now();
      socket.write(text);
    };
    const fail = (error) => {
      socket.destroy();
      reject(error);
    };
    socket.on('connect', send).on('error', fail);
    socket.on('close', () => reject(new Error('the server closed the connection')));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (whole < 0) {
        const head = chunks.length === 1 ? chunk : Buffer.concat(chunks);
        chunks = [head];
        const end = head.indexOf(HEADERS_END);
        if (end < 0) return;
        const headers = head.toString('latin1', 0, end);
        bodyAt = end + HEADERS_END.length;
        whole = bodyAt + lengthIn(headers);
        if (Number.isNaN(whole)) return fail(new Error(`an answer without a length: ${headers}`));
      }
      if (size < whole) return;
      const answer = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      const took = performance.now() - sentAt;
      if (!answer.toString('latin1', 0, 12).endsWith(' 200')) return fail(new Error(answer.toString()));
      const from = bodyAt;
      [chunks, size, whole] = [[], 0, -1];
      try {
        seen(answer.subarray(from), took);
        send();
      } catch (error) {
        fail(error);
      }
    });
  });
}

function lengthIn(headers) {
  return Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? Number.NaN);
}
