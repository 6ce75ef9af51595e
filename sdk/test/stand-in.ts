import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Request that the stub received. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly prefer: string | undefined;
  readonly cookie: string | undefined;
  readonly traceparent: string | undefined;
  readonly body: Record<string, unknown>;
  /** Time of arrival in milliseconds. */
  readonly at: number;
}

/** Response, or what happens instead. */
export interface Reply {
  status?: number;
  /** Body: JSON, or a string sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  /** `never`: the request hangs. `reset`: the connection breaks. `cut`: it breaks within the body. */
  instead?: 'never' | 'reset' | 'cut';
}

/** Stub server on loopback. */
export interface StandIn {
  readonly url: string;
  readonly seen: Seen[];
}

/** Starts a stub server that sends these responses in order, and then repeats the last one until the test ends. */
export async function standIn(...replies: Reply[]): Promise<StandIn> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    seen.push(await record(request));
    send(response, replies[Math.min(seen.length, replies.length) - 1] ?? {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Address that refuses connections: port 2 is unassigned and no test server gets it. */
export const CLOSED_ADDRESS = 'http://127.0.0.1:2';

async function record(request: IncomingMessage): Promise<Seen> {
  const { method = '', url = '', headers } = request;
  const at = performance.now();
  let text = '';
  for await (const chunk of request) text += chunk;
  const { authorization, cookie, prefer } = headers;
  return {
    method,
    path: url,
    authorization,
    cookie,
    traceparent: headers.traceparent?.toString(),
    prefer: prefer?.toString(),
    body: text ? JSON.parse(text) : {},
    at,
  };
}

function send(response: ServerResponse, { status = 200, body = '', headers = {}, instead }: Reply): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (instead === 'never') return;
  if (instead === 'reset') {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (instead === 'cut') response.write('{"id":', () => response.destroy());
  else response.end(text);
}
