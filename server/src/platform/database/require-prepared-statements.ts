import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { isStalePreparedStatement } from './database-errors.ts';
import { isDirectSession, QUICK, withSession } from './with-session.ts';

/** Number of checks. A busy pooler may by chance give the two sessions different server processes. */
const ROUNDS = 5;
const ADVICE =
  'The database is behind a pooler that does not support prepared statements (such as PgBouncer before 1.21 in transaction ' +
  'mode): set DATABASE_PREPARED_STATEMENTS to off, or enable them in the pooler (PgBouncer: max_prepared_statements ' +
  'above 0, or pool_mode=session).';

/**
 * Rejects with advice if a pooler breaks prepared statements. It prepares the same name on two sessions: a pooler
 * without support for them that gives both the same server process causes a name conflict. Without the check,
 * `pooler.long.test.ts` fails.
 */
export async function requirePreparedStatements(url: string): Promise<void> {
  await withSession(url, QUICK, async (one) => {
    // A direct connection answers from the server process that it reported when it was opened. It needs no further
    // check.
    if (isDirectSession(one, await preparedOn(one, newName()))) return;
    await withSession(url, QUICK, async (other) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = newName();
        for (const session of [one, other, one]) await preparedOn(session, name);
      }
    });
  }).catch((error: unknown) => {
    throw isStalePreparedStatement(error) ? new Error(ADVICE) : error;
  });
}

const newName = () => `td_check_${randomBytes(6).toString('hex')}`;

/** Runs a statement by name, which prepares it the first time. Returns the id of the server process that ran it. */
async function preparedOn(session: pg.Client, name: string): Promise<number | undefined> {
  const text = 'SELECT pg_backend_pid() AS pid WHERE $1::boolean';
  const { rows } = await session.query<{ pid: number }>({ name, text, values: [true] });
  return rows[0]?.pid;
}
