import { describe, expect, it } from 'vitest';
import { balance, dryRun, freshRun, KEY, replay, subject } from '../test/samples.ts';
import { standIn } from '../test/stand-in.ts';
import { TrustDirectory } from './client.ts';
import { UnexpectedAnswerError } from './errors.ts';

const request = { operation: 'agent_score', subject: 'example-labs/changelog-agent' } as const;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function answeredBy(body: unknown) {
  const server = await standIn({ body, headers: { 'x-request-id': 'request-1' } });
  return { server, operations: new TrustDirectory({ baseUrl: server.url, apiKey: KEY }).operations };
}

describe('run', () => {
  it('answers a fresh result with its receipt', async () => {
    const { operations } = await answeredBy(freshRun);

    const run = await operations.run(request);

    expect(run).toEqual({
      replayed: false,
      operation: 'agent_score',
      result: freshRun.result,
      resolvedSubject: subject,
      ledgerId: freshRun.ledger_id,
      chargeSource: 'free',
      balanceAfter: balance,
      requestId: 'request-1',
      attempts: 1,
      idempotencyKey: expect.stringMatching(UUID),
    });
  });

  it('answers a replay as such, with the same receipt and no result', async () => {
    const { operations } = await answeredBy(replay);

    expect(await operations.run({ ...request, idempotencyKey: 'order-1' })).toMatchObject({
      replayed: true,
      result: null,
      resolvedSubject: subject,
      ledgerId: replay.ledger_id,
      idempotencyKey: 'order-1',
    });
  });

  it('understands a replay that holds no more than the specification says', async () => {
    const { resolved_subject: _, ...bare } = replay;
    const { operations } = await answeredBy(bare);

    expect(await operations.run(request)).toMatchObject({
      replayed: true,
      result: null,
      resolvedSubject: null,
    });
  });

  it('keeps fields and words that it does not know', async () => {
    const { operations } = await answeredBy({
      ...freshRun,
      charge_source: 'sponsored',
      result: { ...freshRun.result, mode: 'deep', novelty: 1 },
    });

    const run = await operations.run(request);

    expect(run).toMatchObject({ chargeSource: 'sponsored', result: { mode: 'deep', novelty: 1 } });
  });

  it('passes a balance that could not be read on as null', async () => {
    const { operations } = await answeredBy({ ...freshRun, balance_after: null });

    expect((await operations.run(request)).balanceAfter).toBeNull();
  });

  it('sends the request in the API’s words, with a new key each time, and nothing that was left out', async () => {
    const { server, operations } = await answeredBy(freshRun);

    await operations.run(request);
    await operations.run({ ...request, channel: 'api', apiKeyId: '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55' });

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
});

describe('quote', () => {
  it('answers the price and who would pay, from a dry run', async () => {
    const { server, operations } = await answeredBy(dryRun);

    const quote = await operations.quote(request);

    expect(server.seen[0]?.body).toEqual({
      ...request,
      dry_run: true,
      idempotency_key: expect.stringMatching(UUID),
    });
    expect(quote).toEqual({
      operation: 'agent_score',
      priceCredits: 10,
      resolvedSubject: subject,
      chargeSource: 'free',
      balanceAfter: balance,
      requestId: 'request-1',
      attempts: 1,
    });
  });

  it('of a free operation is a quote too', async () => {
    const { operations } = await answeredBy({ ...dryRun, price_credits: 0 });

    expect((await operations.quote(request)).priceCredits).toBe(0);
  });

  it('tells the receipt if the service overlooked that it was a dry run', async () => {
    const { operations } = await answeredBy(freshRun);

    const error = await operations.quote(request).catch((reason) => reason);

    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.ledgerId).toBe(freshRun.ledger_id);
  });
});
