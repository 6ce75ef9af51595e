import { describe, expect, it } from 'vitest';
import { setClock } from '../../testing/clock.ts';
import { makeAccount, type TestAccount } from '../../testing/factories.ts';
import { sampleUnlessNightly } from '../../testing/nightly.ts';
import { refusal, TIMINGS, useOperations } from '../../testing/operations/operation-harness.ts';
import {
  answer,
  answerAfter,
  hang,
  refuse,
  type StandInBackend,
  usableScore,
} from '../../testing/stand-ins/stand-in-backend.ts';
import type { DomainError } from '../platform/errors/domain-error.ts';
import { BackendBusy } from '../scoring/backends/backend-reply.ts';

const world = useOperations();
const { run, totals } = world;

describe('a backend that gives no usable score', () => {
  it.each(
    sampleUnlessNightly(
      [
        ['fails', refuse],
        ['does not answer in time', hang],
        ['answers nonsense', async () => 'ok'],
        [
          'answers with an incomplete score',
          async (request) => usableScore(request, { status: 'incomplete' }),
        ],
        [
          'answers zero twice',
          async (request) => usableScore(request, { trust: 0, confidence: 0, lowerBound: 0 }),
        ],
        ['answers with another type', async (request) => usableScore(request, { subjectType: 'skill' })],
        ['answers with no number', async (request) => usableScore(request, { trust: Number.NaN })],
        ['answers above 100', async (request) => usableScore(request, { trust: 100.1 })],
      ] as [string, Parameters<StandInBackend['behave']>[0]][],
      (_, at) => at % 3 === 0,
    ),
  )('that %s costs nothing, and the same key may be retried', async (_name, behaviour) => {
    const account = await makeAccount(world.database);
    world.backend.behave(behaviour);

    const failure = (await run(account, { idempotencyKey: 'k' }).catch((error) => error)) as DomainError;

    expect(failure).toMatchObject({
      code: 'scoring_failed',
      details: { ledgerId: world.backend.calls[0] },
    });
    expect(await totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
    world.backend.behave(answer);
    const again = await run(account, { idempotencyKey: 'k' });
    expect(again).toMatchObject({ kind: 'settled' });
    expect(again.kind === 'settled' && again.ledgerId).not.toBe(failure.details.ledgerId);
    expect(await totals(account)).toEqual({ runs: 2, used: 1, held: 0 });
  });

  it('is asked once more after a 429, within the cap', async () => {
    const account = await makeAccount(world.database);
    world.backend.behave(async (request) => {
      if (world.backend.calls.length === 1) throw new BackendBusy(60_000);
      return usableScore(request);
    });

    expect(await run(account)).toMatchObject({ kind: 'settled' });
    expect(new Set(world.backend.calls).size).toBe(1);
  });

  it('limits a key to one attempt a minute after twenty failures', async () => {
    const account = await makeAccount(world.database);
    world.backend.behave(refuse);
    for (let i = 0; i < 20; i++)
      expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe('scoring_failed');

    expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe('rate_limited');

    await setClock(world.database, new Date(Date.now() + 61_000).toISOString());
    expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe('scoring_failed');
    expect(world.backend.calls).toHaveLength(21);
  });

  it('that answers after the lease is rejected: nothing is charged', async () => {
    const account = await makeAccount(world.database);
    world.backend.behave(answerAfter(300));

    const code = await refusal(run(account, {}, { timings: { ...TIMINGS, leaseMs: 100 } }));

    expect(code).toBe('scoring_failed');
    expect(await totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
  });
});

/** Waits until the account has a hold with an expired lease. */
async function overDeadLease({ accountId }: TestAccount): Promise<void> {
  const dead =
    "SELECT 1 FROM usage_run WHERE account_id = $1 AND state = 'reserved' AND lease_until <= ledger_now()";
  await expect.poll(() => world.database.query(dead, [accountId])).toHaveLength(1);
}

describe('a hold with an expired lease', () => {
  it('blocks nothing: the same key runs again, and its amount can be spent', async () => {
    const account = await makeAccount(world.database);
    for (let i = 0; i < 24; i++) await run(account);
    // Simulates a process that died after the hold.
    world.backend.behave(hang);
    const dead = run(account, { idempotencyKey: 'k' }, { timings: { ...TIMINGS, leaseMs: 50 } }).catch(
      (error) => error,
    );
    await overDeadLease(account);
    world.backend.behave(answer);

    expect(await run(account, { idempotencyKey: 'k' })).toMatchObject({ kind: 'settled' });
    expect(await refusal(run(account))).toBe('insufficient_credits');
    expect(await dead).toMatchObject({ code: 'scoring_failed' });
  });

  it('is released on demand for another key of the account', async () => {
    const account = await makeAccount(world.database);
    for (let i = 0; i < 24; i++) await run(account);
    world.backend.behave(hang);
    const dead = run(account, {}, { timings: { ...TIMINGS, leaseMs: 50 } }).catch((error) => error);
    await overDeadLease(account);
    world.backend.behave(answer);

    expect(await run(account)).toMatchObject({ kind: 'settled' });
    await dead;
  });
});
