import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { connect, type Database } from './connect.ts';
import { errorCode, isDatabaseUnavailable, isOutcomeUnknown, violates } from './database-errors.ts';
import { inTransaction } from './transaction.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});

afterAll(() => test.close());

const insertAccount = 'INSERT INTO account (id, handle, plan) VALUES ($1, $2, $3)';
const newAccount = () => [randomUUID(), `a${randomUUID().slice(0, 8)}`, 'free'];

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new Error('expected a failure');
    },
    (error: unknown) => error,
  );

/** Waits until `sessions` sessions of this name exist, in `waitEvent` if given. */
async function untilThere(name: string, sessions: number, waitEvent: string | null = null): Promise<void> {
  const count = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1
    AND ($2::text IS NULL OR wait_event = $2)`;
  await expect
    .poll(() => database.query(count, [name, waitEvent]), { timeout: 20_000 })
    .toHaveLength(sessions);
}

describe('values', () => {
  it('reads a bigint as a number, a moment as a Date, bytes as a Buffer and numeric as text', async () => {
    const [row] = await database.query(
      "SELECT 9::bigint AS big, timestamptz '2026-01-02T03:04:05.678Z' AS at, '\\x00ff'::bytea AS bytes, 1.50 AS exact, ARRAY['a'] AS texts",
    );

    expect(row).toEqual({
      big: 9,
      at: new Date('2026-01-02T03:04:05.678Z'),
      bytes: Buffer.from([0, 255]),
      exact: '1.50',
      texts: ['a'],
    });
  });

  it('fails on a bigint that a number would hold inexactly', async () => {
    const error = await failureOf(database.query('SELECT 9007199254740993 AS big'));

    expect(String(error)).toContain('exceeds the safe integers');
  });

  it('sends values apart from the text, so that no character of theirs is SQL', async () => {
    const nasty = `'; DROP TABLE account; -- $1 $$ ? :name \\`;

    const rows = await database.query('SELECT $1::text AS value, $2::text AS nothing', [nasty, null]);

    expect(rows).toEqual([{ value: nasty, nothing: null }]);
  });

  it('rejects an undefined value', async () => {
    await expect(database.query('SELECT $1::text AS value', [undefined])).rejects.toThrow('$1');
  });

  it('refuses two statements in one call that has values', async () => {
    await expect(database.query('SELECT $1::int AS a; SELECT 2', [1])).rejects.toThrow('multiple commands');
  });

  it('answers the rows of a statement that changes and returns', async () => {
    const rows = await database.query(`${insertAccount} RETURNING plan`, newAccount());

    expect(rows).toEqual([{ plan: 'free' }]);
  });
});

describe('sessions', () => {
  it('carry the limits that keep a slow or forgotten statement short', async () => {
    const usual = connect(test.url, {});
    const setting = async (name: string) => {
      const [row] = await usual.query<{ value: string }>('SELECT current_setting($1) AS value', [name]);
      return row?.value;
    };

    expect(await setting('statement_timeout')).toBe('3s');
    expect(await setting('lock_timeout')).toBe('1s');
    expect(await setting('idle_in_transaction_session_timeout')).toBe('5s');
    expect(await setting('application_name')).toBe('trust-directory');
    expect(await setting('TimeZone')).toMatch(/^(UTC|<\+00>)/);
    await usual.close();
  });

  it('end a statement that takes too long, and stay usable', async () => {
    const hurried = connect(test.url, { statementTimeoutMs: 100, poolSize: 1 });

    const error = await failureOf(hurried.query('SELECT pg_sleep(5)'));
    const rows = await hurried.query('SELECT 1 AS one');

    await hurried.close();
    expect(errorCode(error)?.code).toBe('57014');
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isOutcomeUnknown(error)).toBe(false);
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('stay with the pool after a statement that was refused', async () => {
    const single = connect(test.url, { poolSize: 1 });
    const session = () => single.query('SELECT pg_backend_pid() AS id');
    const before = await session();

    await failureOf(single.query('SELECT 1 / 0'));
    await failureOf(single.query('SELECT 1 / $1::int', [0]));
    const after = await session();

    await single.close();
    expect(after).toEqual(before);
  });

  it('that never answer are abandoned and not reused', async () => {
    const hurried = connect(test.url, { statementTimeoutMs: 100, poolSize: 1 });
    await hurried.query('SET statement_timeout = 0');

    const error = await failureOf(hurried.query('SELECT pg_sleep(5)'));
    const rows = await hurried.query("SELECT current_setting('statement_timeout') AS fresh");

    await hurried.close();
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(rows).toEqual([{ fresh: '100ms' }]);
  });

  it('are not waited for longer than the acquire limit when all are taken', async () => {
    const small = connect(test.url, { poolSize: 1, acquireTimeoutMs: 1_000 });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let take = () => {};
    const taken = new Promise<void>((resolve) => {
      take = resolve;
    });
    const holding = inTransaction(small, async () => {
      take();
      await released;
    });
    await taken;

    const error = await failureOf(small.query('SELECT 1'));

    release();
    await holding;
    await small.close();
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isOutcomeUnknown(error)).toBe(false);
  });

  it('that the server ends while idle neither end the process nor fail the next statement', async () => {
    const other = connect(test.url, { applicationName: 'to be ended' });
    const ended = new Promise<void>((resolve) => {
      other.sequelize.addHook('afterConnect', (client) => void (client as EventEmitter).once('end', resolve));
    });
    await other.query('SELECT 1');

    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to be ended'",
    );
    // The server forgets a session before it closes the socket.
    await ended;
    const rows = await other.query('SELECT 1 AS one');

    await other.close();
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('that the server ends in the middle of a statement leave its outcome unknown', async () => {
    const other = connect(test.url, { applicationName: 'to be cut', statementTimeoutMs: 60_000 });
    const sleeping = failureOf(other.query('SELECT pg_sleep(60)'));
    await untilThere('to be cut', 1, 'PgSleep');

    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to be cut'",
    );
    const error = await sleeping;

    await other.close();
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isOutcomeUnknown(error)).toBe(true);
  });

  it('are all replaced after one of them met a read-only server', async () => {
    const other = connect(test.url, { poolSize: 3, applicationName: 'demoted' });
    await Promise.all([1, 2, 3].map(() => other.query('SELECT pg_sleep(0.1)')));
    const pidsOf = async () => {
      const rows = await Promise.all(
        [1, 2, 3].map(() => other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid, pg_sleep(0.1)')),
      );
      return rows.flat().map(({ pid }) => pid);
    };
    const before = await pidsOf();

    const error = await failureOf(
      inTransaction(other, async (connection) => {
        await connection.query('SET TRANSACTION READ ONLY');
        await connection.models.Account.create(
          { id: randomUUID(), handle: 'never', plan: 'free' },
          { transaction: connection.transaction },
        );
      }),
    );
    const after = await pidsOf();

    await other.close();
    expect(errorCode(error)?.code).toBe('25006');
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('that only read refuse to write, and are replaced by others when told to', async () => {
    const reader = connect(test.url, { readOnly: true, poolSize: 1, applicationName: 'reader' });
    const writer = connect(test.url, { poolSize: 1, onStaleSession: () => reader.renewSessions() });
    const pid = async () => (await reader.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;

    const refusal = await failureOf(reader.query(`${insertAccount} RETURNING plan`, newAccount()));
    const before = [await pid(), await pid()];
    await failureOf(
      inTransaction(writer, async (connection) => {
        await connection.query('SET TRANSACTION READ ONLY');
        await connection.query(`${insertAccount} RETURNING plan`, newAccount());
      }),
    );
    const after = await pid();

    await Promise.all([reader.close(), writer.close()]);
    expect(errorCode(refusal)?.code).toBe('25006');
    expect(before[1]).toBe(before[0]);
    expect(after).not.toBe(before[0]);
  });

  it('of an unreachable server fail at once, as an unavailable database', async () => {
    const nobody = connect('postgres://user:secret@127.0.0.1:1/none');

    const error = await failureOf(nobody.query('SELECT 1'));

    await nobody.close();
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isOutcomeUnknown(error)).toBe(false);
    expect(String(error)).not.toContain('secret');
  });
});

describe('errors', () => {
  it('tell the violated constraint, of our own SQL and of a model alike', async () => {
    const [id, handle] = newAccount();
    await database.query(insertAccount, [id, handle, 'free']);

    const raw = await failureOf(database.query(insertAccount, [randomUUID(), handle?.toUpperCase(), 'free']));
    const model = await failureOf(
      database.models.Account.create({ id: id ?? '', handle: 'other', plan: 'free' }, { transaction: null }),
    );

    expect(errorCode(raw)).toEqual({ code: '23505', constraint: 'account_handle' });
    expect(violates(raw, 'account_handle')).toBe(true);
    expect(errorCode(model)).toEqual({ code: '23505', constraint: 'account_pkey' });
    expect(isDatabaseUnavailable(raw)).toBe(false);
    expect(isOutcomeUnknown(raw)).toBe(false);
  });

  it('of the driver and of anything else have no SQLSTATE', () => {
    expect(errorCode(Object.assign(new Error('broken pipe'), { code: 'EPIPE' }))).toBeNull();
    expect(errorCode(new Error('something'))).toBeNull();
    expect(errorCode(null)).toBeNull();
    expect(isDatabaseUnavailable(Object.assign(new Error('broken pipe'), { code: 'EPIPE' }))).toBe(true);
    expect(isDatabaseUnavailable(new Error('something'))).toBe(false);
  });
});

it('closing waits for the statement under way', async () => {
  const other = connect(test.url, { applicationName: 'to be closed', statementTimeoutMs: 60_000 });
  const slow = other.query('SELECT pg_sleep(1), 1 AS one');
  await untilThere('to be closed', 1, 'PgSleep');

  await other.close();

  await expect(slow).resolves.toHaveLength(1);
});

it('the process-wide parsers of the driver stay as they were', async () => {
  const client = new pg.Client({ connectionString: test.url });
  await client.connect();
  const { rows } = await client.query('SELECT 9::bigint AS big');
  await client.end();

  expect(rows).toEqual([{ big: '9' }]);
});
