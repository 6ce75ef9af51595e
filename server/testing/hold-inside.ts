import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/platform/database/connect.ts';
import { inTransaction } from '../src/platform/database/transaction.ts';

const POLL_MS = 5;
/** Key of the advisory lock that is the barrier; any fixed number. */
const BARRIER = 7_310_999;

// No lock timeout: a transaction at the barrier waits until the test opens it, however slow the machine is.
const MAKE_BARRIER = `CREATE FUNCTION wait_at_barrier() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE written record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  BEGIN
    IF to_jsonb(written)::text LIKE '%' || TG_ARGV[0] || '%' THEN
      PERFORM set_config('lock_timeout', '0', true), pg_advisory_xact_lock_shared(${BARRIER});
    END IF;
    RETURN written;
  END $$`;

/**
 * Adds triggers that make a transaction wait while the barrier is closed, when it writes a row that contains `word` in
 * one of these tables. Open the database with a long statement timeout.
 */
export async function buildBarrier(
  database: Database,
  word: string,
  tables: readonly string[] = ['listing', 'linked_account', 'account'],
): Promise<void> {
  await database.query(MAKE_BARRIER);
  for (const table of tables) {
    await database.query(
      `CREATE TRIGGER barrier BEFORE INSERT OR UPDATE OR DELETE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION wait_at_barrier('${word}')`,
    );
  }
}

/**
 * Starts the works one after the other; each waits at the barrier inside its transaction. Runs `beside` when all of
 * them wait, unless one has ended before. Then opens the barrier and returns the results of the works.
 */
export async function whileHeld(
  database: Database,
  works: readonly (() => Promise<unknown>)[],
  beside: () => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>[]> {
  let ended = 0;
  const holding: Promise<unknown>[] = [];
  try {
    await inTransaction(database, async (connection) => {
      await connection.query("SELECT set_config('idle_in_transaction_session_timeout', '0', true)");
      await connection.query(`SELECT pg_advisory_xact_lock(${BARRIER})`);
      for (const work of works) {
        const each = work().finally(() => {
          ended += 1;
        });
        each.catch(() => undefined);
        holding.push(each);
        while (ended === 0 && (await countHeld(database)) < holding.length) await sleep(POLL_MS);
      }
      if (ended === 0) await beside();
    });
  } finally {
    await Promise.allSettled(holding);
  }
  return Promise.allSettled(holding);
}

async function countHeld(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_locks
     WHERE locktype = 'advisory' AND objid = ${BARRIER} AND NOT granted`,
  );
  return row?.count ?? 0;
}
