import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, PLAN_BOOK } from '../../../testing/factories.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { lockPlan } from '../../access/plans/lock-plan.ts';
import { type PlanSettings, periodBuckets } from '../../access/plans/plans.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { saveOverage } from '../balance/account-plan.queries.ts';
import { setOverage, setPlan } from '../balance/change-plan.ts';
import { readBuckets } from './account-buckets.ts';
import { openPeriod } from './change-period.ts';
import { verifyLedger } from './verify.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await replaceClock(database);
});
afterEach(async () => {
  await setClock(database, null);
  expect((await verifyLedger(database)).bad).toEqual([]);
});
afterAll(() => test.close());

const BUILDER: PlanSettings = { plan: 'builder', overageEnabled: true, overageCap: null };

/** Creates the month's buckets from plan data that was read earlier. */
function open(accountId: string, settings: PlanSettings): Promise<void> {
  return openPeriod(database, { accountId, ...settings }, periodBuckets(PLAN_BOOK, settings));
}

async function makeAgreed(): Promise<string> {
  const { accountId } = await makeAccount(database, { plan: 'builder' });
  await database.query('UPDATE account SET overage_enabled = true WHERE id = $1', [accountId]);
  return accountId;
}

async function opened(accountId: string): Promise<string[]> {
  return (await readBuckets(database, accountId)).map(({ source, total }) => `${source} ${total}`);
}

describe('a month', () => {
  it("is opened with the account's current plan", async () => {
    const accountId = await makeAgreed();

    await open(accountId, BUILDER);

    expect(await opened(accountId)).toEqual(['free 25', 'included 2000', 'overage 2000']);
  });

  it.each([
    ['another plan', { ...BUILDER, plan: 'pro' }],
    ['no agreement', { ...BUILDER, overageEnabled: false }],
    ['another cap', { ...BUILDER, overageCap: 300 }],
  ])('is not opened by one that the account does not have: %s', async (_what, settings) => {
    const accountId = await makeAgreed();

    await open(accountId, settings);

    expect(await opened(accountId)).toEqual([]);
  });

  it('gets no overage from a process that read the settings before overage was switched off', async () => {
    const accountId = await makeAgreed();
    await setOverage(database, PLAN_BOOK, accountId, { enabled: false });

    await open(accountId, BUILDER);

    expect(await opened(accountId)).toEqual([]);
  });

  it('waits for a concurrent change and then opens nothing with outdated settings', async () => {
    const accountId = await makeAgreed();
    let opening: Promise<unknown> = Promise.resolve();

    await inTransaction(database, async (connection) => {
      const account = await lockPlan(connection, accountId);
      opening = open(accountId, BUILDER);
      await untilBlocked(database, opening);
      await saveOverage(connection, { ...account, overageEnabled: false });
    });
    await opening;

    expect(await opened(accountId)).toEqual([]);
  });

  it("that starts a lower plan is not opened with last month's higher plan", async () => {
    await setClock(database, '2027-10-31T23:59:59.900Z');
    const { accountId } = await makeAccount(database, { plan: 'pro' });
    await setPlan(database, PLAN_BOOK, accountId, 'free');
    await setClock(database, '2027-11-01T00:00:00.000Z');

    await open(accountId, { plan: 'pro', overageEnabled: false, overageCap: null });
    expect(await opened(accountId)).toEqual([]);
    await open(accountId, { plan: 'free', overageEnabled: false, overageCap: null });

    expect(await opened(accountId)).toEqual(['free 25']);
  });

  it('of a deleted account is not opened', async () => {
    const accountId = await makeAgreed();
    await database.query('UPDATE account SET deleted_at = ledger_now() WHERE id = $1', [accountId]);

    await open(accountId, BUILDER);

    expect(await opened(accountId)).toEqual([]);
  });
});
