import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { type Connection, type ConnectOptions, connect, type Database } from './connect.ts';
import { isDatabaseUnavailable, isOutcomeUnknown } from './database-errors.ts';
import { FRESH_PLAN, withFreshPlan, withIndexPlans } from './send-statement.ts';
import { inTransaction, retryConflicts } from './transaction.ts';

let test: TestDatabase;
const opened: Database[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await test.close();
});
beforeEach(async () => {
  await test.database.query('DROP TABLE IF EXISTS kept');
  await test.database.query('CREATE TABLE kept AS SELECT 1 AS number');
});

/** Opens a pool of one session, so that each statement sees the state left by the previous one. */
function openOne(options: ConnectOptions = {}): Database {
  const database = connect(test.url, { poolSize: 1, ...options });
  opened.push(database);
  return database;
}

/** Lists prepared statements; has no value, so it has no name itself. */
const kept = (connection: Connection) =>
  connection.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
const sessionOf = async (connection: Connection) =>
  (await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
const readAll = (connection: Connection) => connection.query('SELECT * FROM kept WHERE number >= $1', [0]);
const changeSchema = () => test.database.query('ALTER TABLE kept ADD COLUMN added text');
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a session', () => {
  it('keeps a statement that takes values, of our own SQL and of a model, and parses it once', async () => {
    const database = openOne();
    for (const handle of ['one', 'two']) {
      await database.query('SELECT $1::text AS value', [handle]);
      await database.models.Account.create(
        { id: crypto.randomUUID(), handle, plan: 'free' },
        { transaction: null },
      );
    }

    const statements = (await kept(database)).map(({ statement }) => statement);

    expect(statements.filter((text) => text === 'SELECT $1::text AS value')).toHaveLength(1);
    expect(statements.filter((text) => text.startsWith('INSERT INTO "account"'))).toHaveLength(1);
    expect(statements).toHaveLength(2);
  });

  it('keeps neither statements nor settings if prepared statements are off', async () => {
    const database = openOne({ preparedStatements: false, readOnly: true });

    const rows = await database.query('SELECT $1::text AS value', ['x']);

    expect(rows).toEqual([{ value: 'x' }]);
    expect(await kept(database)).toEqual([]);
    expect(await database.query('SHOW default_transaction_read_only')).toEqual([
      { default_transaction_read_only: 'off' },
    ]);
  });

  it.each([true, false])('compiles no plan, and expects memory or SSDs (read-only: %s)', async (readOnly) => {
    const session = openOne({ readOnly });

    expect(await session.query('SHOW jit')).toEqual([{ jit: 'off' }]);
    expect(await session.query('SHOW random_page_cost')).toEqual([{ random_page_cost: '1.1' }]);
  });

  it('keeps no statement with the prefix for fresh plans', async () => {
    const database = openOne();

    const rows = await database.query(`${FRESH_PLAN} SELECT $1::text AS value`, ['x']);

    expect(rows).toEqual([{ value: 'x' }]);
    expect(await kept(database)).toEqual([]);
  });

  it('parses a statement again that could not be parsed before', async () => {
    const database = openOne();
    const read = () => database.query('SELECT added FROM kept WHERE number = $1', [1]);

    const failure = await failureOf(read());
    await changeSchema();

    expect(String(failure)).toContain('added');
    expect(await read()).toEqual([{ added: null }]);
  });

  it('abandons a statement that never answers, like one without a name', async () => {
    const database = openOne({ statementTimeoutMs: 100 });
    await database.query('SET statement_timeout = 0');
    const before = await sessionOf(database);

    const failure = await failureOf(database.query('SELECT pg_sleep($1)', [5]));

    expect(isOutcomeUnknown(failure)).toBe(true);
    expect(await sessionOf(database)).not.toBe(before);
  });

  it('uses a kept statement again after a value that did not fit it', async () => {
    const database = openOne();
    const read = (value: string) => database.query('SELECT $1::int AS number', [value]);
    await read('1');

    const failure = await failureOf(read('none'));

    expect(String(failure)).toContain('invalid input syntax');
    expect(await read('2')).toEqual([{ number: 2 }]);
  });
});

describe('a migration beside a running server', () => {
  it('fails no statement outside of a transaction, and sessions are replaced by new ones', async () => {
    const database = openOne();
    await readAll(database);
    const before = await sessionOf(database);

    await changeSchema();
    const rows = await readAll(database);

    expect(rows).toEqual([{ number: 1, added: null }]);
    expect(await sessionOf(database)).not.toBe(before);
    expect(await readAll(database)).toEqual(rows);
  });

  it('does nothing twice: the statement had not begun', async () => {
    const database = openOne();
    const add = () => database.query('INSERT INTO kept (number) VALUES ($1) RETURNING kept.*', [2]);
    await add();

    await changeSchema();
    const rows = await add();

    expect(rows).toEqual([{ number: 2, added: null }]);
    expect(await test.database.query('SELECT count(*) AS rows FROM kept')).toEqual([{ rows: 3 }]);
  });

  it('fails a transaction in the middle, as something that works when it is tried again', async () => {
    const database = openOne();
    await readAll(database);
    const work = async (connection: Connection) => {
      await connection.query('INSERT INTO kept (number) VALUES (2)');
      return readAll(connection);
    };
    await changeSchema();

    const failure = await failureOf(inTransaction(database, work));
    const [{ rows } = { rows: 0 }] = await test.database.query<{ rows: number }>(
      'SELECT count(*) AS rows FROM kept',
    );

    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(isOutcomeUnknown(failure)).toBe(false);
    expect(rows).toBe(1);
  });

  it('is a conflict to work that is done again', async () => {
    const database = openOne();
    await readAll(database);
    await changeSchema();
    let attempts = 0;

    const rows = await retryConflicts(() =>
      inTransaction(database, (connection) => {
        attempts += 1;
        return readAll(connection);
      }),
    );

    expect(rows).toEqual([{ number: 1, added: null }]);
    expect(attempts).toBe(2);
  });

  it('leaves a refusal with the same code what it is', async () => {
    const database = openOne();
    const before = await sessionOf(database);

    const failure = await failureOf(database.query('SELECT count(*) FROM kept WHERE $1 FOR UPDATE', [true]));

    expect(String(failure)).toContain('FOR UPDATE is not allowed');
    expect(isDatabaseUnavailable(failure)).toBe(false);
    expect(await sessionOf(database)).toBe(before);
  });
});

describe('a session that has lost its statements', () => {
  it('fails no caller, and is replaced', async () => {
    const database = openOne();
    await readAll(database);
    const before = await sessionOf(database);
    await database.query('DISCARD ALL');

    const rows = await readAll(database);

    expect(rows).toEqual([{ number: 1 }]);
    expect(await sessionOf(database)).not.toBe(before);
  });

  it('and has another one of the same name fails no caller', async () => {
    const database = openOne();
    await database.query('SELECT 1');
    const named = openOne();
    await readAll(named);
    const [name] = await named.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
    await database.query(`PREPARE ${name?.name} AS SELECT 7 AS number`);

    expect(await readAll(database)).toEqual([{ number: 1 }]);
  });
});

it('withFreshPlan prepares no statement, inside and outside of a transaction', async () => {
  const database = openOne();
  await readAll(withFreshPlan(database));
  await inTransaction(database, (connection) => readAll(withFreshPlan(connection)));

  expect(await kept(database)).toEqual([]);
});

it('withIndexPlans caches plans of batches, and replans whenever the number of batches has doubled', async () => {
  const database = openOne();
  // The function is inlined when a plan is made, and only then.
  await database.query(`CREATE SEQUENCE plans; CREATE FUNCTION plan_made() RETURNS bigint LANGUAGE plpgsql IMMUTABLE
    AS $$ BEGIN RETURN nextval('plans'); END $$`);
  const asked = (connection: Connection) =>
    connection.query<{ plan: string }>('SELECT plan_made() AS plan WHERE $1::int > 0', [1]);

  const plans: (string | undefined)[] = [];
  for (let batch = 1; batch <= 9; batch += 1) {
    const [row] = await inTransaction(database, async (session) => asked(await withIndexPlans(session)));
    plans.push(row?.plan);
  }
  const [elsewhere] = await asked(database);

  const numbers = [...new Set(plans)];
  expect(plans.map((plan) => numbers.indexOf(plan))).toEqual([0, 1, 1, 2, 2, 2, 2, 3, 3]);
  expect(plans).not.toContain(elsewhere?.plan);
});
