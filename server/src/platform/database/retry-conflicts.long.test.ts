import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createBarrier } from '../../../testing/barrier.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { type Connection, connect, type Database } from './connect.ts';
import { errorCode } from './database-errors.ts';
import { inTransaction, retryConflicts } from './transaction.ts';

let test: TestDatabase;
/** Pool whose timeouts leave time to detect a deadlock on a busy machine. */
let patient: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  patient = connect(test.url, { statementTimeoutMs: 60_000 });
});
afterAll(async () => {
  await patient.close();
  await test.close();
});

/** Locks two accounts one after the other and renames both; waits for `meet` in between. */
async function rename(
  connection: Connection,
  ids: readonly string[],
  handle: string,
  meet: () => Promise<void>,
) {
  await connection.query("SET LOCAL lock_timeout = '60s'");
  await connection.query("SET LOCAL idle_in_transaction_session_timeout = '60s'");
  for (const [place, id] of ids.entries()) {
    await connection.query('UPDATE account SET handle = $2 WHERE id = $1', [id, `${handle}-${place}`]);
    if (place === 0) await meet();
  }
}

async function twoAccounts(): Promise<[string, string]> {
  return [(await makeAccount(test.database)).accountId, (await makeAccount(test.database)).accountId];
}

describe('two transactions that wait for each other', () => {
  itAtNight('one of them is told 40P01, and the other goes on', async () => {
    const [one, other] = await twoAccounts();
    const meet = createBarrier(2);

    const results = await Promise.allSettled([
      inTransaction(patient, (connection) => rename(connection, [one, other], 'a', meet)),
      inTransaction(patient, (connection) => rename(connection, [other, one], 'b', meet)),
    ]);

    const failures = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(failures.map((error) => errorCode(error)?.code)).toEqual(['40P01']);
  });

  it('both succeed where their work is done again after a conflict, and the one that lost comes last', async () => {
    const [one, other] = await twoAccounts();
    const meet = createBarrier(2);
    const tries: string[] = [];
    const work = (name: string, ids: readonly string[]) =>
      retryConflicts(() => {
        tries.push(name);
        return inTransaction(patient, (connection) => rename(connection, ids, name, meet));
      });

    await Promise.all([work('c', [one, other]), work('d', [other, one])]);

    const [again = ''] = tries.slice(2);
    expect(tries).toHaveLength(3);
    const rows = await test.database.query<{ handle: string }>(
      'SELECT handle FROM account WHERE id = ANY ($1::uuid[]) ORDER BY handle',
      [[one, other]],
    );
    expect(rows.map(({ handle }) => handle)).toEqual([`${again}-0`, `${again}-1`]);
  });
});

describe.concurrent('work that conflicts with another transaction', () => {
  const failing = (sqlState: string, times: number) => {
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries <= times) await raise(sqlState);
      return tries;
    };
    return { work, tries: () => tries };
  };
  const raise = (sqlState: string) =>
    test.database.query(`DO 'BEGIN RAISE EXCEPTION ''x'' USING ERRCODE = ''${sqlState}''; END'`);

  it.each(['23505', '40001', '40P01', '55P03'])('(%s) is done again', async (sqlState) => {
    expect(await retryConflicts(failing(sqlState, 1).work)).toBe(2);
  });

  it.each(['23503', '23514', '57014', '42601'])(
    'is not done again for another error (%s)',
    async (sqlState) => {
      const { work, tries } = failing(sqlState, 1);

      await expect(retryConflicts(work)).rejects.toSatisfy((error) => errorCode(error)?.code === sqlState);
      expect(tries()).toBe(1);
    },
  );

  itAtNight('is abandoned after six attempts, with the error of the last', async () => {
    const { work, tries } = failing('40P01', 99);

    await expect(retryConflicts(work)).rejects.toSatisfy((error) => errorCode(error)?.code === '40P01');
    expect(tries()).toBe(6);
  });
});
