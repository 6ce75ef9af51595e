import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { BackendBusy } from './backend-busy.ts';
import { createHttpBackend } from './http-backend.ts';
import type { ScoreRequest } from './scoring-backend.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A scoring backend that answers as told, on loopback. */
async function peer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/score`;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

const request = {
  operation: 'agent_score',
  runId: '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47',
  subject: { id: 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88', type: 'agent', name: 'A', repository: 'o/r' },
  facts: {},
  now: new Date('2026-11-20T00:00:00Z'),
} as unknown as ScoreRequest;
const signal = () => AbortSignal.timeout(5_000);

describe('the HTTP backend', () => {
  it('sends the request as documented, with the run as idempotency key, and hands the answer on', async () => {
    let seen: { headers: IncomingMessage['headers']; body: unknown } | null = null;
    const url = await peer(async (message, reply) => {
      seen = { headers: message.headers, body: await bodyOf(message) };
      reply.end('{"trust": 1}');
    });

    const answer = await createHttpBackend(url, 'secret-token').score(request, signal());

    expect(answer).toEqual({ trust: 1 });
    expect(seen).toMatchObject({
      headers: {
        authorization: 'Bearer secret-token',
        'idempotency-key': request.runId,
        'content-type': 'application/json',
      },
      body: { operation: 'agent_score', runId: request.runId, now: '2026-11-20T00:00:00.000Z' },
    });
  });

  it.each([
    ['3', 3_000, 3_000],
    ['0', 0, 0],
    [new Date(Date.now() + 60_000).toUTCString(), 50_000, 61_000],
    ['soon', 1_000, 1_000],
  ])('reads Retry-After %s of a 429', async (header, least, most) => {
    const url = await peer((_message, reply) => reply.writeHead(429, { 'Retry-After': header }).end());

    const error = await createHttpBackend(url, 't')
      .score(request, signal())
      .catch((thrown) => thrown);

    expect(error).toBeInstanceOf(BackendBusy);
    expect(error.retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(error.retryAfterMs).toBeLessThanOrEqual(most);
  });

  it.each([
    ['an error status', (_m, reply) => reply.writeHead(500).end('{"trust": 1}')],
    ['a redirect', (_m, reply) => reply.writeHead(302, { Location: '/elsewhere' }).end()],
    ['no JSON', (_m, reply) => reply.end('<h1>hello</h1>')],
    ['an empty answer', (_m, reply) => reply.end()],
    ['an endless answer', (_m, reply) => reply.end(`"${'x'.repeat(300_000)}"`)],
    ['a cut connection', (_m, reply) => reply.destroy()],
  ] as [string, RequestListener][])('fails on %s', async (_what, listener) => {
    const url = await peer(listener);

    await expect(createHttpBackend(url, 't').score(request, signal())).rejects.toThrow();
  });

  it('gives up when it is told to', async () => {
    const url = await peer(() => undefined);

    await expect(createHttpBackend(url, 't').score(request, AbortSignal.timeout(50))).rejects.toThrow(
      /timeout/,
    );
  });
});
