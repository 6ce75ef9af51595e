import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { agent, freshRun, KEY, page, receipt, record } from '../../test/samples.ts';
import { standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { lookupSubject } from '../directory.ts';
import { NotFoundError } from '../errors/api-errors.ts';
import { ConfigurationError } from '../errors/errors.ts';

describe('withResponse', () => {
  it('gives data, status, headers, request id and attempts of one call', async () => {
    const headers = { 'x-request-id': 'request-3', 'x-ratelimit-remaining': '119' };
    const server = await standIn({ status: 503, headers: { 'retry-after': '0' } }, { body: agent, headers });

    const call = new TrustDirectory({ baseUrl: server.url }).agents.get(agent.id);
    const { data, response, meta } = await call.withResponse();

    expect(data).toEqual(agent);
    expect(await call).toBe(data);
    expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([200, '119']);
    expect([meta.requestId, meta.attempts]).toEqual(['request-3', 2]);
    expect(server.seen).toHaveLength(2);
  });

  it('exists on lists and runs too', async () => {
    const server = await standIn({ body: page }, { body: freshRun });
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    expect((await client.agents.list().withResponse()).data.total).toBe(1);
    const request = { operation: 'agent_score', subject: 'a/b', idempotency_key: 'order-1' } as const;
    const { data, meta } = await client.operations.run(request).withResponse();

    expect(data).toEqual({ ...freshRun, meta });
    expect(meta).toMatchObject({ replayed: false, idempotencyKey: 'order-1' });
  });

  it('rejects like the call, without an unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const server = await standIn({ status: 404 });
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    const calls = [
      client.agents.get(agent.id),
      client.agents.list(),
      client.operations.run({ operation: 'agent_score', subject: 'a/b' }),
    ];

    for (const call of calls) await expect(call.withResponse()).rejects.toBeInstanceOf(NotFoundError);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('receipts and subjects', () => {
  it('are read by their ids', async () => {
    const server = await standIn({ body: receipt }, { body: record });
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    expect(await client.receipts.get(receipt.ledger_id)).toEqual(receipt);
    expect(await client.subjects.get(record.canonical_id)).toEqual(record);

    expect(server.seen.map(({ path, authorization }) => [path, authorization])).toEqual([
      [`/api/receipts/${receipt.ledger_id}`, `Bearer ${KEY}`],
      [`/api/subjects/${record.canonical_id}`, undefined],
    ]);
  });

  it('are looked up by any name', async () => {
    const server = await standIn({ body: record });

    const found = await new TrustDirectory({ baseUrl: server.url, apiKey: KEY }).subjects.lookup(
      'npm:@upstash/context7-mcp',
      { type: 'skill' },
    );

    expect(found).toEqual(record);
    expect(server.seen[0]).toMatchObject({
      path: '/api/subjects?subject=npm%3A%40upstash%2Fcontext7-mcp&type=skill',
      authorization: undefined,
    });
  });

  it('rejects a look-up with a second subject in the query', async () => {
    const server = await standIn({ body: record });
    const { subjects } = new TrustDirectory({ baseUrl: server.url });
    const query = { subject: 'c/d' } as object;

    await expect(subjects.lookup('a/b', query)).rejects.toThrow(ConfigurationError);
    await expect(lookupSubject('a/b', query, { baseUrl: server.url })).rejects.toThrow(ConfigurationError);
    expect(server.seen).toEqual([]);
  });
});
