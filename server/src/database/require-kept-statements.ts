import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { isUnfitStatement } from './database-errors.ts';
import { isOwnProcess } from './own-session.ts';
import { QUICK, withSession } from './with-session.ts';

/** A busy pooler may give both sessions servers of their own by chance: it is asked so many times. */
const ROUNDS = 5;
const ADVICE =
  'The database is behind a pooler that does not keep prepared statements (such as PgBouncer before 1.21 in transaction ' +
  'mode): set DATABASE_PREPARED_STATEMENTS to off, or let the pooler keep them (PgBouncer: max_prepared_statements ' +
  'above 0, or pool_mode=session).';

/**
 * Rejects with advice where sessions do not keep what they prepare: a pooler gives their statements to servers that
 * know nothing of each other. One that gives two sessions the same server is found out by a name that is used twice.
 */
export async function requireKeptStatements(url: string): Promise<void> {
  await withSession(url, QUICK, async (one) => {
    // Who is spoken to directly is told of at the first answer, and says the same later.
    if (isOwnProcess(one, await preparedOn(one, newName()))) return;
    await withSession(url, QUICK, async (other) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = newName();
        for (const session of [one, other, one]) await preparedOn(session, name);
      }
    });
  }).catch((error: unknown) => {
    throw isUnfitStatement(error) ? new Error(ADVICE) : error;
  });
}

const newName = () => `td_check_${randomBytes(6).toString('hex')}`;

/** Runs a statement by name, prepared by this session the first time; answers which server process ran it. */
async function preparedOn(session: pg.Client, name: string): Promise<number | undefined> {
  const text = 'SELECT pg_backend_pid() AS pid WHERE $1::boolean';
  const { rows } = await session.query<{ pid: number }>({ name, text, values: [true] });
  return rows[0]?.pid;
}
