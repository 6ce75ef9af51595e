import { describe, expect, it } from 'vitest';
import { setClock, shiftClock } from '../../../testing/clock.ts';
import { createTestDatabase } from '../../../testing/database.ts';
import { giveCredits, makeAccount } from '../../../testing/factories.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { loadBillingContext } from './billing-context.ts';
import { openPeriod } from './change-period.ts';
import { settle } from './settle.ts';
import { verifyLedger } from './verify.ts';

const FREE = { plan: 'free', overageEnabled: false, overageCap: null };
const world = useLedger();
const { buckets, hold, input, score } = world;

describe('periods', () => {
  it('opens one bucket with one grant entry under concurrent requests', async () => {
    const account = await makeAccount(world.database);

    await Promise.all(
      Array.from({ length: 50 }, () =>
        openPeriod(world.database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 25 }]),
      ),
    );

    expect(await buckets(account)).toEqual([{ source: 'free', total: 25, used: 0, held: 0 }]);
  });

  it('charges the period of the hold, even if it ended before the settle', async () => {
    await setClock(world.database, '2027-01-31T23:59:59.900Z');
    const account = await makeAccount(world.database);
    await openPeriod(world.database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 25 }]);
    const run = await hold(account);

    await setClock(world.database, '2027-02-01T00:00:00.500Z');
    await openPeriod(world.database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 25 }]);
    const settled = await settle(world.database, run, 'agent', score());

    expect(settled?.balance.period_start).toBe('2027-01-01T00:00:00.000000Z');
    expect((await buckets(account)).map(({ used }) => used)).toEqual([1, 0]);
    await setClock(world.database, null);
  });

  it('lists the open buckets of the current month only', async () => {
    const account = await makeAccount(world.database);
    const call = { ...input(account), priceCredits: 10 };
    await openPeriod(world.database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 25 }]);
    expect(await loadBillingContext(world.database, call)).toMatchObject({
      openPeriods: ['free'],
      affordable: true,
    });

    await shiftClock(world.database, '40 days');
    expect(await loadBillingContext(world.database, call)).toMatchObject({
      openPeriods: [],
      affordable: false,
    });
    await setClock(world.database, null);
  });
});

describe('stored rows', () => {
  it.each([
    ['a change of an entry', 'UPDATE bucket_entry SET d_total = d_total + 1'],
    ['the loss of an entry', 'DELETE FROM bucket_entry'],
    ['the loss of a receipt', 'DELETE FROM ended_run'],
    ['a change of a stored score', 'UPDATE score_version SET content = gen_random_uuid()'],
    ['a change of what a score is made of', 'UPDATE score_evidence SET trust = 100'],
  ])('refuses %s', async (_what, statement) => {
    await expect(world.database.query(statement)).rejects.toThrow(/not allowed/);
  });

  it('verify finds a bucket that differs from its entries', async () => {
    const other = await createTestDatabase();
    const account = await makeAccount(other.database);
    await giveCredits(other.database, account.accountId, 5);
    await other.database.query('UPDATE credit_bucket SET used = 1 WHERE account_id = $1', [
      account.accountId,
    ]);

    const { bad } = await verifyLedger(other.database);

    expect(bad.map(({ problem }) => problem)).toEqual([
      'bucket differs from the sum of its entries',
      'used differs from the settled runs',
    ]);
    await other.close();
  });
});
