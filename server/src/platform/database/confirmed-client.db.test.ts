import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { isDatabaseUnavailable, isOutcomeUnknown } from './database-errors.ts';
import { inTransaction } from './transaction.ts';

let test: TestDatabase;
beforeAll(async () => {
  // One session, so that each statement sees the state left by the previous one.
  test = await createTestDatabase({ poolSize: 1 });
  await test.database.query('CREATE TABLE kept (number integer)');
});
afterAll(() => test.close());

function raise(level: 'WARNING' | 'NOTICE', code?: string): Promise<unknown> {
  const using = code ? ` USING ERRCODE = ''${code}''` : '';
  return test.database.query(`DO LANGUAGE plpgsql 'BEGIN RAISE ${level} ''text''${using}; END'`);
}

describe('a statement that PostgreSQL answers with the warning of a commit that no standby has', () => {
  it('fails as one whose outcome is unknown, and the session serves the next one', async () => {
    const error = await raise('WARNING').catch((thrown) => thrown);

    expect(isOutcomeUnknown(error)).toBe(true);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await test.database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('fails a transaction whose COMMIT met it', async () => {
    await test.database.query(
      `CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE WARNING ''text''; RETURN NULL; END'`,
    );
    await test.database.query(
      `CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON kept DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION warn()`,
    );

    const work = inTransaction(test.database, (connection) =>
      connection.query('INSERT INTO kept VALUES (1)'),
    );

    expect(isOutcomeUnknown(await work.catch((thrown) => thrown))).toBe(true);
  });

  it('fails a prepared statement that met it at its own commit, each time', async () => {
    const add = () => test.database.query('INSERT INTO kept VALUES ($1)', [2]);

    const errors = [await add().catch((thrown) => thrown), await add().catch((thrown) => thrown)];

    expect(errors.map(isOutcomeUnknown)).toEqual([true, true]);
  });

  it('is told from notices and from warnings about something else', async () => {
    await raise('NOTICE');
    await raise('WARNING', '01007');
    await raise('NOTICE', '01000');

    expect(await test.database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('keeps an error an error', async () => {
    await expect(test.database.query('SELECT nothing')).rejects.toThrow(/nothing/);
  });
});
