import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { readRun, readRunConfirmed } from './read-run.ts';

const world = useLedger();
const { accountWith, hold } = world;

const position = async () => {
  const [now] = await world.database.query<{ at: string }>('SELECT pg_current_wal_insert_lsn()::text AS at');
  return now?.at;
};

describe('a confirmed read of a run', () => {
  it('returns the stored run and commits in the same statement, which a standby must confirm', async () => {
    const account = await accountWith(25);
    const { ledgerId } = await hold(account);
    const sent: string[] = [];
    const connection = {
      ...world.database,
      query: <Row extends object>(sql: string, bind?: readonly unknown[]) => {
        sent.push(sql);
        return world.database.query<Row>(sql, bind);
      },
    };
    const before = await position();

    const confirmed = await readRunConfirmed(connection, account.accountId, ledgerId);

    expect(confirmed).toMatchObject({ state: 'reserved', balance: { included_credits: 25 } });
    expect(confirmed).toEqual(await readRun(world.database, account.accountId, ledgerId));
    expect(sent).toHaveLength(1);
    expect(await position()).not.toBe(before);
  });

  it('also confirms that there is no run', async () => {
    const account = await accountWith(25);
    const before = await position();

    expect(await readRunConfirmed(world.database, account.accountId, randomUUID())).toBeNull();
    expect(await position()).not.toBe(before);
  });
});
