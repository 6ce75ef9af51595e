import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, PLAN_BOOK } from '../../../testing/factories.ts';
import { readCurrentScore } from '../../../testing/scoring/read-current-score.ts';
import {
  answer,
  createStandIn,
  refuse,
  type StandInBackend,
  usableScore,
} from '../../../testing/stand-ins/stand-in-backend.ts';
import { makeCreator, makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';
import { accountBalance } from '../../billing/balance/account-balance.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { refreshScore } from './refresh-score.ts';

const NOW = '2026-11-20T09:00:00Z';
const OLD = '2026-08-01T10:20:30.123456Z';
let test: TestDatabase;
let backend: StandInBackend;
let accountId: string;
let listing: { id: string; agentId: string };

beforeAll(async () => {
  test = await createTestDatabase();
  await replaceClock(test.database);
});
beforeEach(async () => {
  await setClock(test.database, NOW);
  backend = createStandIn();
  ({ accountId } = await makeAccount(test.database));
  listing = await scoredListing(accountId);
});
afterAll(() => test.close());

/** Creates a listing of an account with an old score. */
async function scoredListing(owner: string) {
  const creator = await makeCreator(test.database, { accountId: owner });
  const made = await makeListing(test.database, { creator });
  await makeScore(test.database, made, { trust: 30, confidence: 20, version: OLD });
  return made;
}

const refresh = (agentId = listing.agentId, owner = accountId) =>
  refreshScore(test.database, { accountId: owner, agentId, backend, lockCredential: async () => undefined });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, details }: DomainError) => ({ code, ...details }),
  );
const versionOf = async (id: string) => (await readCurrentScore(test.database, id))?.version;
const inSeconds = (seconds: number) =>
  setClock(test.database, new Date(Date.parse(NOW) + seconds * 1000).toISOString());

/** Counts the rows that only a metered call stores. */
async function metered(): Promise<unknown> {
  const [rows] = await test.database.query(
    `SELECT (SELECT count(*) FROM usage_run) AS runs, (SELECT count(*) FROM ledger_entry) AS entries,
       (SELECT coalesce(sum(used + held), 0) FROM credit_bucket) AS spent`,
  );
  return { rows, balance: await accountBalance(test.database, PLAN_BOOK, accountId) };
}

describe('refreshing a score', () => {
  it('scores the listing again, and changes no ledger, balance or other listing', async () => {
    const { id: otherId } = await scoredListing((await makeAccount(test.database)).accountId);
    await accountBalance(test.database, PLAN_BOOK, accountId);
    const before = await metered();

    const { record, outcome } = await refresh(listing.agentId.toLowerCase());

    expect(outcome).toBe('scored');
    expect(record).toMatchObject({ trust: 61.5, confidence: 48.2, tier: 'medium' });
    expect(record.scoreVersion).toBe('2026-11-20T09:00:00.000000Z');
    expect(await versionOf(listing.id)).toBe(record.scoreVersion);
    expect(await versionOf(otherId)).toBe(OLD);
    expect(backend.calls).toEqual(['']);
    expect(await metered()).toEqual(before);
  });

  it('is only for the creator; for others the listing does not exist', async () => {
    const { accountId: stranger } = await makeAccount(test.database);

    for (const agentId of [listing.agentId, 'AGT-ZZZZZZZZ']) {
      expect(await refusal(refresh(agentId, stranger))).toEqual({ code: 'not_found' });
    }

    expect(backend.calls).toEqual([]);
    expect(await versionOf(listing.id)).toBe(OLD);
  });

  it('does not call the backend while the score is younger than a minute, whatever created it', async () => {
    const { record } = await refresh();
    await inSeconds(59);
    for (let again = 0; again < 3; again += 1) expect(await refresh()).toEqual({ record, outcome: 'fresh' });
    expect(backend.calls).toHaveLength(1);

    await inSeconds(60);
    expect((await refresh()).outcome).toBe('scored');
    expect(backend.calls).toHaveLength(2);

    // A newer score counts as fresh, even if a metered call or a new proof has caused it.
    await inSeconds(200);
    await makeScore(test.database, listing, {
      trust: 44,
      confidence: 33,
      version: '2026-11-20T09:03:10.000000Z',
    });
    expect(await refresh()).toMatchObject({ record: { trust: 44 }, outcome: 'fresh' });
    expect(backend.calls).toHaveLength(2);
  });

  it('calls the backend once for concurrent requests', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => refresh()));

    expect(backend.calls).toHaveLength(1);
    const outcomes = asked.map((one) => (one.status === 'fulfilled' ? one.value.outcome : one.reason.code));
    expect(outcomes.filter((outcome) => outcome === 'scored')).toHaveLength(1);
    for (const outcome of outcomes) expect(['scored', 'fresh', 'rate_limited']).toContain(outcome);
  });

  it('keeps the score after a failure, and waits a minute before trying again', async () => {
    backend.behave(refuse);

    expect(await refusal(refresh())).toEqual({ code: 'unavailable', retryAfterSeconds: 60 });
    await inSeconds(20);
    expect(await refusal(refresh())).toEqual({ code: 'rate_limited', retryAfterSeconds: 40 });
    expect(backend.calls).toHaveLength(1);
    expect(await versionOf(listing.id)).toBe(OLD);

    backend.behave(answer);
    await inSeconds(60);
    expect((await refresh()).outcome).toBe('scored');
  });

  it('keeps the existing score if there is not enough evidence', async () => {
    backend.behave(async (request) => usableScore(request, { status: 'incomplete' }));

    const { record, outcome } = await refresh();

    expect(outcome).toBe('incomplete');
    expect(record).toMatchObject({ trust: 30, confidence: 20, scoreVersion: OLD });
    expect(await refusal(refresh())).toMatchObject({ code: 'rate_limited' });
    expect(backend.calls).toHaveLength(1);
  });

  it('does nothing for a session that has ended, and does not start the pause', async () => {
    const lockCredential = async () => {
      throw new DomainError('unauthorized', 'The session has ended.');
    };
    const order = { accountId, agentId: listing.agentId, backend, lockCredential };

    expect(await refusal(refreshScore(test.database, order))).toEqual({ code: 'unauthorized' });
    expect(backend.calls).toEqual([]);

    expect((await refresh()).outcome).toBe('scored');
  });
});
