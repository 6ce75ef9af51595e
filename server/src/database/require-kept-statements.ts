import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { isUnfitStatement } from './database-errors.ts';

/** A busy pooler may give both sessions servers of their own by chance: it is asked so many times. */
const ROUNDS = 5;
const TIMEOUT_MS = 5_000;
const ADVICE =
  'The database is behind a pooler that does not keep prepared statements (such as PgBouncer before 1.21 in transaction ' +
  'mode): set DATABASE_PREPARED_STATEMENTS to off, or let the pooler keep them (PgBouncer: max_prepared_statements ' +
  'above 0, or pool_mode=session).';

/**
 * Rejects with advice where sessions do not keep what they prepare: a pooler gives their statements to servers that
 * know nothing of each other. One that gives two sessions the same server is found out by a name that is used twice.
 */
export async function requireKeptStatements(url: string): Promise<void> {
  await withSession(url, async (one) => {
    // Who is spoken to directly is told of at the first answer, and says the same later.
    if ((await preparedOn(one, newName())) === (one as unknown as { processID: number }).processID) return;
    await withSession(url, async (other) => {
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

async function withSession(url: string, work: (session: pg.Client) => Promise<void>): Promise<void> {
  const session = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // A broken connection fails the statement under way too.
  session.on('error', () => undefined);
  await session.connect();
  try {
    await work(session);
  } finally {
    await session.end();
  }
}
