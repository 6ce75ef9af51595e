import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { giveCredits, makeAccount } from '../../../testing/factories.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { type Connection, connect } from '../../platform/database/connect.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { openPeriod } from './change-period.ts';
import { fail } from './fail.ts';
import { readRun } from './read-run.ts';
import { type Reservation, reserve } from './reserve.ts';
import { settle } from './settle.ts';

const FREE = { plan: 'free', overageEnabled: false, overageCap: null };
const world = useLedger();
const { accountWith, buckets, hold, input } = world;

describe('reserve', () => {
  it('holds the amount, opens the run in one statement', async () => {
    const account = await accountWith(25);

    const run = await hold(account);

    expect(run).toMatchObject({ source: 'gifted', amount: 10, attempt: 1 });
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 25, used: 0, held: 10 }]);
    expect(await readRun(world.database, account.accountId, run.ledgerId)).toMatchObject({
      state: 'reserved',
      leaseOver: false,
    });
  });

  it('takes free calls first, then the grant that expires first, each call whole from one bucket', async () => {
    const account = await makeAccount(world.database);
    await giveCredits(world.database, account.accountId, 10);
    await world.database.query(
      `WITH b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
         VALUES ($1, 'gifted', 'credit', 'grant', ledger_now(), ledger_now() + interval '1 day', 15) RETURNING account_id, id, total)
       INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total) SELECT account_id, id, 'grant', total FROM b`,
      [account.accountId],
    );
    await openPeriod(world.database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 1 }]);

    const sources = [await hold(account), await hold(account), await hold(account)].map((run) => [
      run.source,
      run.amount,
    ]);

    expect(sources).toEqual([
      ['free', 1],
      ['gifted', 10],
      ['gifted', 10],
    ]);
    expect(await buckets(account)).toEqual([
      { source: 'free', total: 1, used: 0, held: 1 },
      { source: 'gifted', total: 15, used: 0, held: 10 },
      { source: 'gifted', total: 10, used: 0, held: 10 },
    ]);
    expect(await reserve(world.database, input(account))).toBeNull();
  });

  it('grants exactly the calls that the balance covers when many race for the last credits', async () => {
    const account = await accountWith(70);

    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () => reserve(world.database, input(account))),
    );

    expect(outcomes.filter(Boolean)).toHaveLength(7);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 70, used: 0, held: 70 }]);
  });

  it('opens one run when many race with one idempotency key', async () => {
    const account = await accountWith(1000);
    const idempotencyKey = randomUUID();

    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () => reserve(world.database, input(account, { idempotencyKey }))),
    );

    const opened = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value !== null);
    const losers = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(opened).toHaveLength(1);
    expect(losers.every((loser) => errorCode(loser.reason)?.code === '23505')).toBe(true);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 1000, used: 0, held: 10 }]);
  });

  it.each([
    ['charged', (on: Connection, run: Reservation) => settle(on, run, 'agent', world.score()), 10],
    ['failed', (on: Connection, run: Reservation) => fail(on, run, 'upstream'), 0],
  ] as const)(
    'opens no second run if one with its key was opened and %s while it waited',
    async (_how, end, used) => {
      const account = await accountWith(100);
      const once = { idempotencyKey: 'once' };
      const other = connect(world.url, { statementTimeoutMs: 60_000 });
      let late: Promise<unknown> = Promise.resolve();

      await inTransaction(world.database, async (connection) => {
        await connection.query('SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR UPDATE', [
          account.accountId,
        ]);
        late = reserve(other, input(account, once)).catch((error) => errorCode(error)?.code);
        await untilBlocked(world.database, late);
        const run = await reserve(connection, input(account, once));
        await end(connection, run as Reservation);
      });

      expect(await late).toBe('23505');
      expect(await buckets(account)).toEqual([{ source: 'gifted', total: 100, used, held: 0 }]);
      await other.close();
    },
  );

  it.each([
    ['revoked', 'revoked_at = ledger_now()'],
    ['paused', 'paused_at = ledger_now()'],
    ['expired', 'expires_at = ledger_now()'],
    ['without the scope', "scopes = '{agents:register}'"],
  ])('opens nothing for a key that is %s, whatever was looked up before', async (_state, change) => {
    const account = await accountWith(100);
    await world.database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [account.key.id]);

    expect(await reserve(world.database, input(account))).toBeNull();
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 100, used: 0, held: 0 }]);
  });

  it('opens no run for a key whose last run had another body or has not failed', async () => {
    const account = await accountWith(100);
    const run = await hold(account, { idempotencyKey: 'once' });
    const other = createHash('sha256').update('other').digest();

    expect(await reserve(world.database, input(account, { idempotencyKey: 'once' }))).toBeNull();
    await fail(world.database, run, 'upstream');
    expect(
      await reserve(world.database, input(account, { idempotencyKey: 'once', fingerprint: other })),
    ).toBeNull();
    expect(await hold(account, { idempotencyKey: 'once' })).toMatchObject({ attempt: 2 });
  });
});
