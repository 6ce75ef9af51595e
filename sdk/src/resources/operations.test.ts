import { describe, expect, it, vi } from 'vitest';
import { dryRun, freshRun, KEY, operationError, record, replay, subject } from '../../test/samples.ts';
import { type Reply, standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { UnexpectedAnswerError } from '../errors/api-errors.ts';
import { ConfigurationError } from '../errors/errors.ts';

const request = { operation: 'agent_score', subject: 'example-labs/changelog-agent' } as const;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function answeredBy(body: unknown) {
  const server = await standIn({ body, headers: { 'x-request-id': 'request-1' } });
  return { server, operations: new TrustDirectory({ baseUrl: server.url, apiKey: KEY }).operations };
}

describe('run', () => {
  it('returns a fresh result with its receipt', async () => {
    const { operations } = await answeredBy(freshRun);

    const run = await operations.run(request);

    expect(run).toEqual({
      ...freshRun,
      meta: {
        replayed: false,
        recovered: null,
        requestId: 'request-1',
        attempts: 1,
        elapsedMs: expect.any(Number),
        idempotencyKey: expect.stringMatching(UUID),
      },
    });
  });

  it('returns a replay with the same receipt and no result', async () => {
    const { operations } = await answeredBy(replay);

    expect(await operations.run({ ...request, idempotency_key: 'order-1' })).toMatchObject({
      result: null,
      resolved_subject: subject,
      ledger_id: replay.ledger_id,
      meta: { replayed: true, recovered: null, idempotencyKey: 'order-1' },
    });
  });

  it('accepts a replay with only the specified members', async () => {
    const { resolved_subject: _, ...bare } = replay;
    const { operations } = await answeredBy(bare);

    expect(await operations.run(request)).toMatchObject({
      result: null,
      meta: { replayed: true, recovered: null },
    });
  });

  it('keeps unknown fields and enum values', async () => {
    const { operations } = await answeredBy({
      ...freshRun,
      charge_source: 'sponsored',
      result: { ...freshRun.result, mode: 'deep', novelty: 1 },
    });

    const run = await operations.run(request);

    expect(run).toMatchObject({ charge_source: 'sponsored', result: { mode: 'deep', novelty: 1 } });
  });

  it('returns null for a balance that could not be read', async () => {
    const { operations } = await answeredBy({ ...freshRun, balance_after: null });

    expect((await operations.run(request)).balance_after).toBeNull();
  });

  it('sends the request with the API’s field names and a new key each time, without omitted members', async () => {
    const { server, operations } = await answeredBy(freshRun);

    await operations.run(request);
    await operations.run({ ...request, channel: 'api', api_key_id: '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55' });

    const [first, second] = server.seen;
    expect(first).toMatchObject({
      method: 'POST',
      path: '/api/svc/operations/run',
      authorization: `Bearer ${KEY}`,
    });
    expect(first?.body).toEqual({ ...request, idempotency_key: expect.stringMatching(UUID) });
    expect(second?.body).toEqual({
      ...request,
      channel: 'api',
      api_key_id: '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55',
      idempotency_key: expect.stringMatching(UUID),
    });
    expect(first?.body.idempotency_key).not.toBe(second?.body.idempotency_key);
  });

  it('sends an empty idempotency key unchanged, because a new one would charge a second time', async () => {
    const server = await standIn({ status: 400, body: operationError('invalid_request') });
    const { operations } = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });
    for (const key of ['', null]) {
      const emptied = { ...request, idempotency_key: key as string };
      for (const call of [operations.run(emptied), operations.quote(emptied)]) {
        await expect(call).rejects.toMatchObject({ status: 400, idempotencyKey: key });
      }
    }

    expect(server.seen.map(({ body }) => body.idempotency_key)).toEqual(['', '', null, null]);
  });
});

describe('dry_run in a request', () => {
  class DryRequest {
    readonly operation = 'agent_score' as const;
    readonly subject = 'a/b';
    get dry_run() {
      return true;
    }
  }
  const requests = [
    { ...request, idempotency_key: 'order-1', dry_run: true },
    { ...request, idempotency_key: 'order-1', dry_run: false },
    { ...request, idempotency_key: 'order-1', dry_run: null },
    { ...request, idempotency_key: 'order-1', dry_run: 'true' },
    Object.assign(new DryRequest(), { idempotency_key: 'order-1' }),
  ] as unknown as (typeof request)[];

  it.each(requests)('is rejected by `run` and `quote` before anything is sent: %o', async (given) => {
    const server = await standIn({ body: freshRun });
    const onError = vi.fn();
    const { operations } = new TrustDirectory({ baseUrl: server.url, apiKey: KEY, hooks: { onError } });

    for (const method of ['run', 'quote'] as const) {
      const error = await operations[method](given).catch((reason) => reason);

      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error).toMatchObject({ attempts: 0, idempotencyKey: 'order-1' });
      expect(error.message).toBe('dry_run: use quote() or run().');
      expect(onError).toHaveBeenLastCalledWith(error, expect.anything());
    }

    expect(server.seen).toEqual([]);
  });

  it('counts as omitted if undefined', async () => {
    const server = await standIn({ body: freshRun }, { body: dryRun });
    const { operations } = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });
    const given = { ...request, dry_run: undefined } as unknown as typeof request;

    await operations.run(given);
    await operations.quote(given);

    expect(server.seen.map(({ body }) => body.dry_run)).toEqual([undefined, true]);
  });

  it('is rejected in the options too', async () => {
    const server = await standIn({ body: freshRun });
    const { operations } = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    await expect(operations.run(request, { dry_run: true } as object)).rejects.toThrow(ConfigurationError);
    expect(server.seen).toEqual([]);
  });
});

describe('a replay', () => {
  const answers = async (...replies: Reply[]) => {
    const server = await standIn({ body: replay }, ...replies);
    const { operations } = new TrustDirectory({ baseUrl: server.url, apiKey: KEY, maxRetries: 0 });
    return { server, run: await operations.run(request, { onReplay: 'lookup' }) };
  };

  it('gives the public record as `recovered`, read without a key', async () => {
    const { server, run } = await answers({ body: record });

    expect(run).toMatchObject({
      result: null,
      meta: { replayed: true, recovered: record, attempts: 1 },
    });
    expect(server.seen[1]).toMatchObject({
      path: `/api/subjects/${subject.canonical_id}`,
      authorization: undefined,
    });
  });

  it('is still a replay if the record can’t be read', async () => {
    const { run } = await answers({ status: 503 });

    expect(run).toMatchObject({
      ledger_id: replay.ledger_id,
      meta: { replayed: true, recovered: null },
    });
  });

  it('reads the record only with onReplay, and never for a fresh run', async () => {
    const server = await standIn({ body: replay }, { body: freshRun });
    const { operations } = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    const runs = [await operations.run(request), await operations.run(request, { onReplay: 'lookup' })];
    expect(runs.map(({ meta }) => [meta.replayed, meta.recovered])).toEqual([
      [true, null],
      [false, null],
    ]);
    expect(server.seen).toHaveLength(2);
  });

  it('reads no record of a removed subject', async () => {
    const server = await standIn({ body: { ...replay, resolved_subject: null } });
    const { operations } = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    expect(await operations.run(request, { onReplay: 'lookup' })).toMatchObject({
      meta: { recovered: null },
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('quote', () => {
  it('returns price and charge source from a dry run', async () => {
    const { server, operations } = await answeredBy(dryRun);

    const quote = await operations.quote(request);

    expect(server.seen[0]?.body).toEqual({
      ...request,
      dry_run: true,
      idempotency_key: expect.stringMatching(UUID),
    });
    expect(quote).toEqual({
      ...dryRun,
      meta: {
        replayed: false,
        recovered: null,
        idempotencyKey: expect.stringMatching(UUID),
        requestId: 'request-1',
        attempts: 1,
        elapsedMs: expect.any(Number),
      },
    });
  });

  it('returns a quote for a free call too', async () => {
    const { operations } = await answeredBy({ ...dryRun, price_credits: 0 });

    expect((await operations.quote(request)).price_credits).toBe(0);
  });

  it('rejects with the receipt if the service ignored dry_run', async () => {
    const { operations } = await answeredBy(freshRun);

    const error = await operations.quote(request).catch((reason) => reason);

    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.ledgerId).toBe(freshRun.ledger_id);
  });
});
