import type { Middleware } from 'openapi-fetch';
import { describe, expect, it } from 'vitest';
import { agent, freshRun, KEY, page, receipt } from '../test/samples.ts';
import { CLOSED_ADDRESS, standIn } from '../test/stand-in.ts';
import { TrustDirectory } from './client.ts';
import { ConfigurationError, ConnectionError } from './errors/errors.ts';
import { rawOf } from './raw.ts';

const AT_ONCE = { 'retry-after': '0' };
const body = { operation: 'agent_score', subject: 'a/b', idempotency_key: 'order-1' } as const;

describe('rawOf', () => {
  it('resolves to data, error and response like openapi-fetch, without throwing API errors', async () => {
    const missing = { error: 'not_found', message: 'No such entry.', status: 404 };
    const server = await standIn({ body: agent }, { status: 404, body: missing });
    const raw = rawOf(new TrustDirectory({ baseUrl: server.url }));

    const found = await raw.GET('/api/agents/{id}', { params: { path: { id: agent.id } } });
    const lost = await raw.GET('/api/agents/{id}', { params: { path: { id: agent.id } } });

    expect(found.data?.name).toBe(agent.name);
    expect([lost.data, lost.error, lost.response.status]).toEqual([undefined, missing, 404]);
  });

  it('sends the key only to endpoints that take one', async () => {
    const server = await standIn({ body: page }, { body: { data: [receipt] } }, { body: freshRun });
    const raw = rawOf(new TrustDirectory({ baseUrl: server.url, apiKey: KEY }));

    await raw.GET('/api/agents');
    await raw.GET('/api/receipts');
    await raw.POST('/api/svc/operations/run', { body });
    await raw.GET('/api/console/linked-accounts');

    const keys = server.seen.map(({ authorization }) => authorization);
    expect(keys).toEqual([undefined, `Bearer ${KEY}`, `Bearer ${KEY}`, undefined]);
  });

  it('retries below the middleware, which sees one request and the last response', async () => {
    const server = await standIn(
      { status: 503, headers: AT_ONCE },
      { status: 429, headers: AT_ONCE },
      { body: freshRun },
    );
    const raw = rawOf(new TrustDirectory({ baseUrl: server.url, apiKey: KEY }));
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

  it('aborts with the signal of the call', async () => {
    const server = await standIn({ instead: 'never' });
    const raw = rawOf(new TrustDirectory({ baseUrl: server.url }));

    const call = raw.GET('/api/agents', { signal: AbortSignal.timeout(50) });

    await expect(call).rejects.toMatchObject({ name: 'AbortError', cause: { name: 'TimeoutError' } });
  });

  it('rejects with the errors of this package without a response', async () => {
    const raw = rawOf(new TrustDirectory({ baseUrl: CLOSED_ADDRESS, maxRetries: 0 }));

    await expect(raw.GET('/api/agents')).rejects.toBeInstanceOf(ConnectionError);
  });

  it('rejects an Authorization header, instead of replacing it by the client’s key', async () => {
    const server = await standIn({ body: freshRun });
    const raw = rawOf(new TrustDirectory({ baseUrl: server.url, apiKey: KEY }));
    const headers = { Authorization: `Bearer ${KEY.replace('live', 'other')}` };

    await expect(raw.POST('/api/svc/operations/run', { body, headers })).rejects.toThrow(ConfigurationError);
    expect(server.seen).toEqual([]);
  });

  it('overrides headers of the client by those of the call', async () => {
    const server = await standIn({ body: page });
    const raw = rawOf(new TrustDirectory({ baseUrl: server.url, headers: { prefer: 'code=503' } }));

    await raw.GET('/api/agents');
    await raw.GET('/api/agents', { headers: { Prefer: 'code=200' } });

    expect(server.seen.map(({ prefer }) => prefer)).toEqual(['code=503', 'code=200']);
  });

  it('applies its middleware in the order of the calls, and no longer once it is ejected', async () => {
    const server = await standIn({ body: page });
    const client = new TrustDirectory({ baseUrl: server.url });
    const raw = rawOf(client);
    const asking: Middleware = {
      onRequest: ({ request }) => void request.headers.set('prefer', 'example=empty'),
    };

    raw.use(asking);
    await raw.GET('/api/agents');
    await client.agents.list();
    raw.eject(asking);
    await raw.GET('/api/agents');

    expect(server.seen.map(({ prefer }) => prefer)).toEqual(['example=empty', undefined, undefined]);
  });

  it('sends the contract’s writes with their bodies, and those without', async () => {
    const server = await standIn({ body: {} }, { status: 204 });
    const raw = rawOf(new TrustDirectory({ baseUrl: server.url }));
    const path = { id: '0f8b2c1e-6a54-4c1d-9b0e-2f6d7a3c5e91' };
    const account = { kind: 'repo_host', host: 'github.com', handle: 'example-labs' } as const;

    await raw.POST('/api/console/linked-accounts', { body: account });
    const removed = await raw.DELETE('/api/console/linked-accounts/{id}', { params: { path } });

    expect(removed.response.status).toBe(204);
    expect(server.seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', account],
      ['DELETE', {}],
    ]);
  });
});
