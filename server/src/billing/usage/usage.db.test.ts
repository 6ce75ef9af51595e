import { afterEach, describe, expect, it } from 'vitest';
import { setClock } from '../../../testing/clock.ts';
import { makeKey, makeSession, type TestAccount } from '../../../testing/factories.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { refusal } from '../../../testing/operations/operation-harness.ts';
import { readAllUsage, readCsvLines } from '../../../testing/usage/read-all-usage.ts';
import { addDays, type Day } from '../../access/plans/days.ts';
import { fail } from '../ledger/fail.ts';
import type { ReserveInput } from '../ledger/reserve.ts';
import { settle } from '../ledger/settle.ts';
import { readUsage } from './read-usage.ts';
import { ALL_USAGE, type UsageFilter, usageByDay } from './usage-by-day.ts';

const world = useLedger();
afterEach(() => setClock(world.database, null));

/** Makes a call on a day; it stays in progress if `end` is null. */
async function callOn(
  day: Day,
  account: TestAccount,
  end: 'settle' | 'fail' | null = 'settle',
  changes: Partial<ReserveInput> = {},
): Promise<void> {
  const { database } = world;
  await setClock(database, `${day}T12:00:00Z`);
  const run = await world.hold(account, changes);
  if (end === 'settle') await settle(database, run, 'agent', world.score());
  if (end === 'fail') await fail(database, run, 'upstream');
}

/** Creates an account with credits since 2027. */
async function richAccount(): Promise<TestAccount> {
  await setClock(world.database, '2027-01-01T00:00:00Z');
  return world.accountWith(100_000);
}

const lines = async ({ accountId }: TestAccount, filter: Partial<UsageFilter> = {}, limit = 100) =>
  (await readAllUsage(world.database, accountId, filter, limit)).map(
    ({ day, operation, settledCalls, failedCalls, heldCalls, used, held }) =>
      `${day} ${operation} ${settledCalls}/${failedCalls}/${heldCalls} ${used}+${held}`,
  );

describe('usage', () => {
  it('counts a day’s calls by outcome, latest day first, for this account only', async () => {
    const [account, stranger] = [await richAccount(), await richAccount()];
    await callOn('2027-03-01', account);
    await callOn('2027-03-01', account, 'fail');
    await callOn('2027-03-02', account);
    await callOn('2027-03-02', account, null, { priceCredits: 20 });
    await callOn('2027-03-02', account, 'settle', { operation: 'skill_score', priceCredits: 8 });
    await callOn('2027-03-02', stranger);

    expect(await lines(account)).toEqual([
      '2027-03-02 agent_score 1/0/1 10+20',
      '2027-03-02 skill_score 1/0/0 8+0',
      '2027-03-01 agent_score 1/1/0 10+0',
    ]);
  });

  it('is filtered by days (inclusive), operation, key and source, alone and combined', async () => {
    const account = await richAccount();
    const { database } = world;
    await database.query("UPDATE account SET plan = 'builder' WHERE id = $1", [account.accountId]);
    const other = await makeKey(database, account.accountId);
    for (const day of ['2027-03-01', '2027-03-02', '2027-03-03']) await callOn(day, account);
    await callOn('2027-03-02', account, 'settle', { callerId: other.id, operation: 'skill_score' });

    expect(await lines(account, { from: '2027-03-02', to: '2027-03-02' })).toHaveLength(2);
    expect(await lines(account, { from: '2027-03-02' })).toHaveLength(3);
    expect(await lines(account, { to: '2027-03-01' })).toEqual(['2027-03-01 agent_score 1/0/0 10+0']);
    expect(await lines(account, { operation: 'skill_score' })).toHaveLength(1);
    expect(await lines(account, { keyId: other.id })).toEqual(['2027-03-02 skill_score 1/0/0 10+0']);
    expect(await lines(account, { source: 'gifted' })).toHaveLength(4);
    expect(await lines(account, { source: 'free' })).toEqual([]);
    const all = { from: '2027-03-02', operation: 'agent_score', keyId: account.key.id, source: 'gifted' };
    expect(await lines(account, all)).toHaveLength(2);
  });

  it('is attributed to the key that a session named, or to none', async () => {
    const account = await richAccount();
    await setClock(world.database, '2027-01-01T11:50:00Z');
    const { sessionId } = await makeSession(world.database, account.accountId);
    const session = { credential: { kind: 'session', hash: Buffer.alloc(32) }, callerId: sessionId } as const;
    await callOn('2027-01-01', account, 'settle', { ...session, namedKeyId: account.key.id });
    await callOn('2027-01-01', account, 'settle', session);

    const rows = await readAllUsage(world.database, account.accountId);

    expect(rows.map(({ keyId, keyName, keyLastFour }) => [keyId, keyName, keyLastFour])).toEqual([
      [null, null, null],
      [account.key.id, 'test', account.key.lastFour],
    ]);
  });

  it('is paged without gaps or repeats while calls continue', async () => {
    const account = await richAccount();
    for (const day of ['2027-03-01', '2027-03-02', '2027-03-05']) {
      await callOn(day, account);
      await callOn(day, account, 'settle', { operation: 'skill_score' });
    }
    const before = await lines(account);

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const question = { ...ALL_USAGE, cursor, limit: 2 };
      const page: Awaited<ReturnType<typeof readUsage>> = await readUsage(
        world.database,
        account.accountId,
        question,
      );
      seen.push(...page.rows.map(({ day, operation }) => `${day} ${operation}`));
      cursor = page.nextCursor;
      await callOn('2027-03-06', account);
      await callOn('2027-03-05', account, 'settle', { operation: 'creator_score' });
    } while (cursor);

    expect(seen).toEqual(before.map((line) => line.split(' ').slice(0, 2).join(' ')));
  });

  it('with a filter without matches ends after some pages', async () => {
    const account = await richAccount();
    for (let days = 0; days < 400; days += 40) await callOn(addDays('2027-01-01', days), account, 'fail');
    const question = { ...ALL_USAGE, keyId: '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47', limit: 20 };

    const first = await readUsage(world.database, account.accountId, { ...question, cursor: null });
    const rest = await readUsage(world.database, account.accountId, {
      ...question,
      cursor: first.nextCursor,
    });

    expect(first).toEqual({ rows: [], nextCursor: expect.any(String) });
    expect(rest.rows).toEqual([]);
    expect(await lines(account, { keyId: question.keyId })).toEqual([]);
    expect(await lines(account)).toHaveLength(10);
  });

  it.each(['W10', '["2027-02-31"]', '["2027-03-01","a",1]', '["2027-03-01","a","1",null]', '["x"]'])(
    'refuses the cursor %s',
    async (text) => {
      const { accountId } = await richAccount();
      const cursor = text === 'W10' ? text : Buffer.from(text).toString('base64url');

      const page = readUsage(world.database, accountId, { ...ALL_USAGE, cursor, limit: 20 });

      expect(await refusal(page)).toBe('invalid_request');
    },
  );
});

describe('usage by day', () => {
  it('sums over keys and sources, earliest day first, with free calls separate from credits', async () => {
    const account = await richAccount();
    await callOn('2027-03-02', account);
    await callOn('2027-03-02', account, 'fail');
    await callOn('2027-03-01', account, null);

    const { days } = await usageByDay(world.database, account.accountId, {
      ...ALL_USAGE,
      from: '2027-03-01',
      to: '2027-03-31',
    });

    const row = { operation: 'agent_score', freeCalls: 0 };
    expect(days).toEqual([
      { ...row, day: '2027-03-01', settledCalls: 0, failedCalls: 0, heldCalls: 1, credits: 0 },
      { ...row, day: '2027-03-02', settledCalls: 1, failedCalls: 1, heldCalls: 0, credits: 10 },
    ]);
  });

  it('covers the last 30 days by default, and at most 366', async () => {
    const { accountId } = await richAccount();
    await setClock(world.database, '2027-03-31T23:59:59Z');
    const ask = (filter: Partial<UsageFilter>) =>
      usageByDay(world.database, accountId, { ...ALL_USAGE, ...filter });

    expect(await ask({})).toEqual({ from: '2027-03-02', to: '2027-03-31', days: [] });
    expect(await ask({ to: '2027-02-28' })).toMatchObject({ from: '2027-01-30', to: '2027-02-28' });
    expect(await ask({ from: '2026-03-31' })).toMatchObject({ from: '2026-03-31', to: '2027-03-31' });
    expect(await refusal(ask({ from: '2026-03-30' }))).toBe('invalid_request');
    expect(await refusal(ask({ from: '2027-04-01' }))).toBe('invalid_request');
  });
});

describe('usage as CSV', () => {
  it('has one line per row, and neutralizes formulas in key names', async () => {
    const account = await richAccount();
    await world.database.query('UPDATE access_key SET name = $2 WHERE id = $1', [
      account.key.id,
      '=cmd|"/C calc",x',
    ]);
    await callOn('2027-03-01', account);
    await callOn('2027-03-02', account, 'fail');

    const csv = await readCsvLines(world.database, account.accountId);

    const of = `agent_score,${account.key.id},"'=cmd|""/C calc"",x",gifted,2027-01-01T00:00:00.000000Z,2029-01-01T00:00:00.000000Z,credit`;
    expect(csv).toEqual([`2027-03-02,${of},0,1,0,0,0`, `2027-03-01,${of},1,0,0,10,0`]);
  });
});
