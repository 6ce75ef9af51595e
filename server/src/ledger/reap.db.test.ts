import { describe, expect, it } from 'vitest';
import { inTransaction } from '../database/transaction.ts';
import { fail } from './fail.ts';
import { reapAccount, reapDue } from './reap.ts';
import { useLedger } from './testing/ledger-harness.ts';

const world = useLedger();
const { accountWith, buckets, hold } = world;

describe('the reaper', () => {
  it('ends only runs whose lease is over, and two at once are harmless', async () => {
    const account = await accountWith(1000);
    const short = await Promise.all(Array.from({ length: 30 }, () => hold(account, { leaseMs: 1 })));
    const long = await hold(account);
    await new Promise((resolve) => setTimeout(resolve, 20));

    const reaped = await Promise.all([reapDue(world.database), reapDue(world.database)]);

    expect(reaped[0] + reaped[1]).toBe(short.length);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 1000, used: 0, held: 10 }]);
    await fail(world.database, long, 'upstream');
  });

  it('does not keep the others waiting for a bucket that somebody holds', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => accountWith(100)));
    for (const account of accounts) await hold(account, { leaseMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [first] = accounts.map(({ accountId }) => accountId).sort();

    await inTransaction(world.database, async (connection) => {
      await connection.query('SELECT 1 AS one FROM credit_bucket WHERE account_id = $1 FOR UPDATE', [first]);
      await expect(reapDue(world.database)).rejects.toThrow();
    });

    const open = await world.database.query(
      "SELECT account_id FROM usage_run WHERE state = 'reserved' AND lease_until <= ledger_now()",
    );
    expect(open).toEqual([{ account_id: first }]);
    expect(await reapDue(world.database)).toBe(1);
  });

  it('takes a bucket with more dead runs than one statement ends', async () => {
    const account = await accountWith(6000);
    for (let i = 0; i < 11; i++)
      await Promise.all(Array.from({ length: 50 }, () => hold(account, { leaseMs: 1 })));
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(await reapAccount(world.database, account.accountId)).toBe(550);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 6000, used: 0, held: 0 }]);
  });
});
