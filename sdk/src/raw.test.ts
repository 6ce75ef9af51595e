import type { Middleware } from 'openapi-fetch';
import { describe, expect, it } from 'vitest';
import { agent, freshRun, KEY, page, receipt } from '../test/samples.ts';
import { CLOSED_ADDRESS, standIn } from '../test/stand-in.ts';
import { TrustDirectory } from './client.ts';
import { ConnectionError } from './errors.ts';

const AT_ONCE = { 'retry-after': '0' };
const body = { operation: 'agent_score', subject: 'a/b', idempotency_key: 'order-1' } as const;

describe('raw', () => {
  it('answers data and response as openapi-fetch does, and errors without throwing', async () => {
    const missing = { error: 'not_found', message: 'No such entry.', status: 404 };
    const server = await standIn({ body: agent }, { status: 404, body: missing });
    const { raw } = new TrustDirectory({ baseUrl: server.url });

    const found = await raw.GET('/api/agents/{id}', { params: { path: { id: agent.id } } });
    const lost = await raw.GET('/api/agents/{id}', { params: { path: { id: agent.id } } });

    expect(found.data?.name).toBe(agent.name);
    expect([lost.data, lost.error, lost.response.status]).toEqual([undefined, missing, 404]);
  });

  it('sends the key where it is taken, and nowhere else', async () => {
    const server = await standIn({ body: page }, { body: { data: [receipt] } }, { body: freshRun });
    const { raw } = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    await raw.GET('/api/agents');
    await raw.GET('/api/receipts');
    await raw.POST('/api/svc/operations/run', { body });
    await raw.GET('/api/console/linked-accounts');

    const keys = server.seen.map(({ authorization }) => authorization);
    expect(keys).toEqual([undefined, `Bearer ${KEY}`, `Bearer ${KEY}`, undefined]);
  });

  it('retries beneath its middleware, which sees a call and its last answer once', async () => {
    const server = await standIn(
      { status: 503, headers: AT_ONCE },
      { status: 429, headers: AT_ONCE },
      { body: freshRun },
    );
    const { raw } = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });
    const seen: unknown[] = [];
    const middleware: Middleware = {
      onRequest: ({ request }) => void seen.push(request.method),
      onResponse: ({ response }) => void seen.push(response.status),
    };
    raw.use(middleware);

    const { data } = await raw.POST('/api/svc/operations/run', { body });

    expect(data).toMatchObject({ ledger_id: freshRun.ledger_id });
    expect(seen).toEqual(['POST', 200]);
    expect(server.seen.map((request) => request.body)).toEqual([body, body, body]);
  });

  it('ends with the signal of its own call, as a method does with its own', async () => {
    const server = await standIn({ instead: 'never' });
    const { raw } = new TrustDirectory({ baseUrl: server.url });

    const call = raw.GET('/api/agents', { signal: AbortSignal.timeout(50) });

    await expect(call).rejects.toMatchObject({ name: 'AbortError', cause: { name: 'TimeoutError' } });
  });

  it('rejects with the errors of this package where no answer comes', async () => {
    const { raw } = new TrustDirectory({ baseUrl: CLOSED_ADDRESS, maxRetries: 0 });

    await expect(raw.GET('/api/agents')).rejects.toBeInstanceOf(ConnectionError);
  });

  it('shares its middleware with the methods, whose own error it may be', async () => {
    const server = await standIn({ body: page });
    const client = new TrustDirectory({ baseUrl: server.url });
    client.raw.use({
      onRequest: ({ request }) => void request.headers.set('prefer', 'example=empty'),
      onResponse: () => {
        throw new Error('the middleware’s own');
      },
    });

    await expect(client.agents.list()).rejects.toThrow('the middleware’s own');
    expect(server.seen[0]?.prefer).toBe('example=empty');
  });
});
