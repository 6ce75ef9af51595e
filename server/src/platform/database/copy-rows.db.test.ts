import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { batchSource } from '../batching/batch-source.ts';
import type { Connection } from './connect.ts';
import { copyRows } from './copy-rows.ts';
import { withFreshPlan } from './send-statement.ts';
import { inTransaction } from './transaction.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query(
    'CREATE TABLE copied (id bigint PRIMARY KEY, words text, parts text[], whole jsonb, share float8, at timestamptz, yes boolean)',
  );
});

afterAll(() => test.close());

const COLUMNS = 'id bigint, words text, parts text[], whole jsonb, share float8, at timestamptz, yes boolean';
const ODD = [
  '',
  'a\tb\nc\rd',
  '\\N',
  '\\',
  'C:\\new\\table',
  '"quoted", {braced}',
  'ünïcödé 🙂',
  'null',
  "'",
];

function oddRows() {
  return ODD.map((text, id) => ({
    id,
    words: text,
    parts: [text, ...ODD],
    whole: { [text]: [text, null, { deep: [] }] },
    share: id / 3,
    at: '2026-01-02T03:04:05.678901Z',
    yes: id % 2 === 0,
  }));
}

function copy(rows: readonly Record<string, unknown>[]) {
  return inTransaction(test.database, (connection) => copyRows(connection, 'copied', COLUMNS, rows));
}

async function stored(): Promise<unknown[]> {
  return test.database.query(
    'SELECT id, words, parts, whole, share, utc_text(at) AS at, yes FROM copied ORDER BY id',
  );
}

describe('rows that are copied', () => {
  it('are stored as they are, whatever stands in their texts', async () => {
    await copy(oddRows());
    const rows = await stored();
    await test.database.query('DELETE FROM copied');

    expect(rows).toEqual(oddRows());
  });

  it('have null where a value is missing, and the two characters of a zero byte', async () => {
    await copy([{ id: 1, words: 'a\0b', whole: null }]);
    const rows = await stored();
    await test.database.query('DELETE FROM copied');

    const nothing = { parts: null, whole: null, share: null, at: null, yes: null };
    expect(rows).toEqual([{ id: 1, words: 'a\\0b', ...nothing }]);
  });

  it('are all refused for one that breaks a rule, with its code, and the session is of use again', async () => {
    const many = Array.from({ length: 5000 }, (_, id) => ({ id, words: 'x'.repeat(100) }));

    await expect(copy([...many, { id: 7 }])).rejects.toMatchObject({ code: '23505' });
    await expect(copy([{ id: 7 }, ...many])).rejects.toMatchObject({ code: '23505' });
    await expect(copy([{ id: 'seven' }, ...many])).rejects.toMatchObject({ code: '22P02' });

    expect(await stored()).toEqual([]);
  });

  it('are all left out where they cannot be written, and the session is of use again', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, words: 'x'.repeat(100) }));
    function* breaking() {
      yield* rows;
      throw new Error('no more rows');
    }

    const work = (connection: Connection) => copyRows(connection, 'copied', COLUMNS, breaking());
    await expect(inTransaction(test.database, work)).rejects.toThrow('no more rows');

    expect(await stored()).toEqual([]);
  });

  it('are told as lost when the session ends under them', async () => {
    const work = inTransaction(test.database, async (connection) => {
      const [own] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await test.database.query('SELECT pg_terminate_backend($1)', [own?.pid]);
      const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, words: 'x'.repeat(100) }));
      await copyRows(connection, 'copied', COLUMNS, rows);
    });

    await expect(work).rejects.toThrow();
    expect(await stored()).toEqual([]);
  });

  it('are refused outside of a transaction', async () => {
    await expect(copyRows(test.database, 'copied', COLUMNS, [])).rejects.toThrow('transaction');
  });
});

describe('the source of a batch', () => {
  const rowsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id, words: `${id}\\` }));
  const read = async (connection: Connection, count: number) => {
    const { from, bind } = await batchSource(connection, 'id bigint, words text', rowsOf(count));
    return connection.query(`SELECT r.id, r.words FROM ${from} r ORDER BY 1`, bind);
  };

  it.each([0, 1, 49, 50, 1000])('gives %d rows, inside a transaction and outside of one', async (count) => {
    const inside = await inTransaction(test.database, (connection) => read(withFreshPlan(connection), count));

    expect(inside).toEqual(rowsOf(count));
    expect(await read(test.database, count)).toEqual(rowsOf(count));
  });

  it('gives the rows of its last call only, in one transaction and in the next', async () => {
    const counts = await inTransaction(test.database, async (connection) => {
      const first = await read(connection, 200);
      const second = await read(connection, 100);
      return [first.length, second.length];
    });
    const next = await inTransaction(test.database, (connection) => read(connection, 60));

    expect([...counts, next.length]).toEqual([200, 100, 60]);
  });
});
