import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../testing/ledger/ledger-harness.ts';
import { readRun, readRunConfirmed } from './read-run.ts';

const world = useLedger();
const { accountWith, hold } = world;

const position = async () => {
  const [now] = await world.database.query<{ at: string }>('SELECT pg_current_wal_insert_lsn()::text AS at');
  return now?.at;
};

describe('a run that is read to be told for good', () => {
  it('is the stored one, and commits something in the same statement, which a standby then has to confirm', async () => {
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

  it('is none where there is none, which is confirmed as well', async () => {
    const account = await accountWith(25);
    const before = await position();

    expect(await readRunConfirmed(world.database, account.accountId, randomUUID())).toBeNull();
    expect(await position()).not.toBe(before);
  });
});
