import { describe, expect, it } from 'vitest';
import { setClock } from '../../testing/clock.ts';
import { giveCredits, makeAccount, makeListing } from '../../testing/factories.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import {
  answer,
  answerAfter,
  answerWhenReleased,
  createSyncStandIn,
  refuse,
} from '../../testing/stand-ins/stand-in-backend.ts';
import type { DomainError } from '../platform/errors/domain-error.ts';

const world = useOperations();
const { run, totals } = world;

describe('a first call', () => {
  it('is scored, paid with one free call, and updates the score in the directory', async () => {
    const account = await makeAccount(world.database);

    const outcome = await run(account);

    if (outcome.kind !== 'settled') throw new Error(outcome.kind);
    expect(outcome).toMatchObject({
      source: 'free',
      subject: { id: world.listing.subjectId, agentId: world.listing.agentId },
    });
    expect(outcome.settled.balance).toMatchObject({
      period_kind: 'month',
      included_credits: 25,
      included_used: 1,
    });
    expect(world.backend.calls).toEqual([outcome.ledgerId]);
    const [row] = await world.database.query(
      'SELECT trust, utc_text(score_version) AS version FROM listing_rank WHERE subject_id = $1',
      [world.listing.subjectId],
    );
    expect(row).toEqual({ trust: 61.5, version: outcome.settled.scoreVersion });
  });

  it('finds the same subject by every form of its name', async () => {
    const account = await makeAccount(world.database);
    const spellings = [
      world.listing.repository.toUpperCase(),
      `https://github.com/${world.listing.repository}.git`,
      world.listing.agentId,
      world.listing.subjectId,
    ];

    for (const subject of spellings) {
      expect(await run(account, { subject })).toMatchObject({ subject: { id: world.listing.subjectId } });
    }
  });

  it('is paid completely from the first source that can pay', async () => {
    const account = await makeAccount(world.database, { plan: 'builder' });
    await giveCredits(world.database, account.accountId, 15, 'gifted');

    const sources: string[] = [];
    for (let i = 0; i < 27; i++) {
      const outcome = await run(account);
      if (outcome.kind === 'settled') sources.push(outcome.source);
    }

    expect(sources.slice(0, 25).every((source) => source === 'free')).toBe(true);
    expect(sources.slice(25)).toEqual(['gifted', 'included']);
  });
});

describe('a repeated call', () => {
  it('is replayed without the backend and without a charge, even with an empty balance or a deleted subject', async () => {
    const account = await makeAccount(world.database);
    const gone = await makeListing(world.database);
    const first = await run(account, { idempotencyKey: 'k', subject: gone.repository });
    for (let i = 0; i < 24; i++) await run(account);
    await world.database.query('DELETE FROM subject_alias WHERE subject_id = $1', [gone.subjectId]);
    const before = await totals(account);
    world.backend.calls.length = 0;

    const repeats = await Promise.all(
      Array.from({ length: 20 }, () =>
        run(account, { idempotencyKey: 'k', subject: ` ${gone.repository} ` }),
      ),
    );

    for (const repeat of repeats) {
      expect(repeat).toMatchObject({
        kind: 'replay',
        run: { ledgerId: first.kind === 'settled' && first.ledgerId },
      });
    }
    expect(world.backend.calls).toEqual([]);
    expect(await totals(account)).toEqual(before);
    expect(await refusal(run(account))).toBe('insufficient_credits');
  });

  it('with another body is refused, before and after it settled, and reveals nothing about the first', async () => {
    const account = await makeAccount(world.database);
    const other = await makeListing(world.database);
    await run(account, { idempotencyKey: 'k' });

    expect(await refusal(run(account, { idempotencyKey: 'k', subject: other.repository }))).toBe(
      'idempotency_key_reused',
    );
    expect(await totals(account)).toEqual({ runs: 1, used: 1, held: 0 });
  });

  it('after a failure is refused with another body, and retried with the same one', async () => {
    const account = await makeAccount(world.database);
    const other = await makeListing(world.database);
    world.backend.behave(refuse);
    expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe('scoring_failed');
    world.backend.behave(answer);

    const otherBody = { idempotencyKey: 'k', subject: other.repository };
    expect(await refusal(run(account, otherBody))).toBe('idempotency_key_reused');
    expect(await refusal(run(account, otherBody, { backend: createSyncStandIn() }))).toBe(
      'idempotency_key_reused',
    );
    expect(await totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
    expect(await run(account, { idempotencyKey: 'k' })).toMatchObject({ kind: 'settled' });
  });

  it('of one in progress is refused with another body, not told to wait', async () => {
    const account = await makeAccount(world.database);
    const other = await makeListing(world.database);
    const asked = answerWhenReleased();
    world.backend.behave(asked.behaviour);
    const first = run(account, { idempotencyKey: 'k' });
    await asked.once;

    const words = [
      await refusal(run(account, { idempotencyKey: 'k', subject: other.repository })),
      await refusal(run(account, { idempotencyKey: 'k' })),
    ];
    asked.tell();

    expect(words).toEqual(['idempotency_key_reused', 'idempotency_in_progress']);
    expect(await first).toMatchObject({ kind: 'settled' });
    expect(world.backend.calls).toHaveLength(1);
  });

  it('belongs to the account: another account may use the same key', async () => {
    const [one, two] = [await makeAccount(world.database), await makeAccount(world.database)];
    await run(one, { idempotencyKey: 'k' });

    expect(await run(two, { idempotencyKey: 'k' })).toMatchObject({ kind: 'settled' });
  });

  it('of one in progress is told so; one of many concurrent calls asks the backend', async () => {
    const account = await makeAccount(world.database);
    world.backend.behave(answerAfter(150));

    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => run(account, { idempotencyKey: 'k' })),
    );

    const settled = outcomes.filter((each) => each.status === 'fulfilled' && each.value.kind === 'settled');
    const refused = outcomes.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as DomainError] : [],
    );
    expect(settled).toHaveLength(1);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['idempotency_in_progress']));
    expect(refused[0]?.details).toMatchObject({ ledgerId: world.backend.calls[0], retryAfterSeconds: 2 });
    expect(world.backend.calls).toHaveLength(1);
  });
});

describe('a dry run', () => {
  it('returns price, source and balance, and leaves no trace', async () => {
    const account = await makeAccount(world.database);

    const outcome = await run(account, { dryRun: true, idempotencyKey: 'k' });

    expect(outcome).toMatchObject({
      kind: 'quote',
      priceCredits: 10,
      source: 'free',
      balance: { included_used: 1 },
    });
    expect(await totals(account)).toEqual({ runs: 0, used: 0, held: 0 });
    expect(await run(account, { idempotencyKey: 'k' })).toMatchObject({ kind: 'settled' });
    expect(await run(account, { dryRun: true, idempotencyKey: 'k' })).toMatchObject({ kind: 'quote' });
  });

  it('is refused like the call itself', async () => {
    const account = await makeAccount(world.database);
    for (let i = 0; i < 25; i++) await run(account);

    expect(await refusal(run(account, { dryRun: true }))).toBe('insufficient_credits');
  });
});

describe('midnight on the first of a month', () => {
  it('refuses none of fifty clients and opens one bucket', async () => {
    await setClock(world.database, '2027-03-31T23:59:59.000Z');
    const account = await makeAccount(world.database, { plan: 'pro' });
    for (let i = 0; i < 25; i++) await run(account);
    await setClock(world.database, '2027-04-01T00:00:00.000Z');

    const outcomes = await Promise.all(Array.from({ length: 50 }, () => run(account)));

    const sources = outcomes.map((outcome) => outcome.kind === 'settled' && outcome.source);
    expect(sources.filter((source) => source === 'free')).toHaveLength(25);
    expect(sources.filter((source) => source === 'included')).toHaveLength(25);
    const april = await world.database.query(
      "SELECT source FROM credit_bucket WHERE account_id = $1 AND valid_from = '2027-04-01T00:00Z'",
      [account.accountId],
    );
    expect(april).toHaveLength(2);
  });
});
