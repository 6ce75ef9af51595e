import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScoreRequest } from '../scoring-backend.ts';
import { BackendBusy } from './backend-reply.ts';
import { type ClosableBackend, createHttpBackend } from './create-backend.ts';

const servers: Server[] = [];
const backends: ClosableBackend[] = [];

afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Starts an HTTP server on loopback that answers as the scoring backend, and returns its URL. */
async function peer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/score`;
}

function open(url: string, token = 't'): ClosableBackend {
  const backend = createHttpBackend(url, token);
  backends.push(backend);
  return backend;
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

    const answer = await open(url, 'secret-token').score(request, signal());

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

    const error = await open(url)
      .score(request, signal())
      .catch((thrown) => thrown);

    expect(error).toBeInstanceOf(BackendBusy);
    expect(error.retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(error.retryAfterMs).toBeLessThanOrEqual(most);
  });

  it.each([301, 302, 303, 307, 308])(
    'follows no redirect (%i), neither to its own host nor with its token to another, where an answer waits',
    async (status) => {
      const led: string[] = [];
      const takeIn = (message: IncomingMessage, reply: ServerResponse) => {
        led.push(`${message.headers.host}${message.url}`);
        reply.end('{"trust": 1}');
      };
      const elsewhere = await peer(takeIn);
      const places = ['/led', elsewhere];
      const url = await peer((message, reply) => {
        if (message.url !== '/score') return takeIn(message, reply);
        reply.writeHead(status, { Location: places.shift() ?? '/led' }).end();
      });
      const backend = open(url);

      for (let asked = 0; asked < 2; asked += 1) {
        await expect(backend.score(request, signal())).rejects.toThrow(`answered ${status}`);
      }

      expect(led).toEqual([]);
    },
  );

  it('keeps its connection for the next request, also after an answer that it cannot use', async () => {
    const statuses = [200, 500, 429, 200];
    const sockets = new Set<unknown>();
    const url = await peer((message, reply) => {
      sockets.add(message.socket);
      reply.writeHead(statuses.shift() ?? 200).end(`{"trust": 1, "note": "${'x'.repeat(100_000)}"}`);
    });
    const backend = open(url);

    for (let asked = 0; asked < 4; asked += 1) {
      await backend.score(request, signal()).catch(() => undefined);
      // The rest of an unusable answer is read in the background.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }

    expect(sockets.size).toBe(1);
  });

  it('aborts as soon as its signal does', async () => {
    const backend = open(await peer(() => undefined));
    const begun = performance.now();

    await expect(backend.score(request, AbortSignal.timeout(50))).rejects.toThrow(/timeout/);

    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('opens no more than 64 connections; further calls wait for one', async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    const url = await peer((_message, reply) => {
      held.push(reply);
      most = Math.max(most, held.length);
    });
    const backend = open(url);

    const answers = Promise.all(Array.from({ length: 150 }, () => backend.score(request, signal())));
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(64);
    const release = setInterval(() => held.splice(0).map((reply) => reply.end('{"trust": 1}')), 100);

    expect(await answers).toHaveLength(150);
    clearInterval(release);
    expect(most).toBe(64);
  });

  it('does not send a call that was aborted while it waited for a connection', async () => {
    const held: ServerResponse[] = [];
    const seen: unknown[] = [];
    const url = await peer((message, reply) => {
      seen.push(message.headers['idempotency-key']);
      held.push(reply);
    });
    const backend = open(url);
    const first = Array.from({ length: 64 }, () => backend.score(request, signal()));
    await expect.poll(() => held.length).toBe(64);
    const patience = new AbortController();
    const late = backend.score({ ...request, runId: 'given-up' }, patience.signal);
    const last = backend.score({ ...request, runId: 'last' }, signal());

    patience.abort(new Error('no more patience'));
    await expect(late).rejects.toThrow('no more patience');
    for (const reply of held.splice(0)) reply.end('{"trust": 1}');
    await Promise.all(first);
    await expect.poll(() => held.length).toBe(1);
    held[0]?.end('{"trust": 1}');

    expect(await last).toEqual({ trust: 1 });
    expect(seen.slice(64)).toEqual(['last']);
  });

  it('ends its connections when it is closed', async () => {
    let ended = 0;
    const url = await peer((message, reply) => {
      message.socket.once('close', () => {
        ended += 1;
      });
      reply.end('{"trust": 1}');
    });
    const backend = open(url);
    await backend.score(request, signal());

    await backend.close();

    await expect.poll(() => ended).toBe(1);
    await expect(backend.score(request, signal())).rejects.toThrow();
  });

  it('is never taken for the embedded one, whatever its host is called', () => {
    expect(open('http://embedded/score').source).toBe('embedded:80');
    expect(open('https://scores.example/v1?x=1').source).toBe('scores.example');
  });

  it('uses the configured path and query', async () => {
    let seen = '';
    const url = await peer((message, reply) => {
      seen = message.url ?? '';
      reply.end('{"trust": 1}');
    });

    await open(`${url}/v1?tenant=a`).score(request, signal());

    expect(seen).toBe('/score/v1?tenant=a');
  });
});
