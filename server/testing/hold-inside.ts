import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/platform/database/connect.ts';
import { inTransaction } from '../src/platform/database/transaction.ts';

const POLL_MS = 5;
/** Any fixed number: it names the barrier among the advisory locks of the test's database. */
const BARRIER = 7_310_999;

// What stands at the barrier waits for the test alone, however slow the machine is.
const MAKE_BARRIER = `CREATE FUNCTION wait_at_barrier() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE written record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  BEGIN
    IF to_jsonb(written)::text LIKE '%' || TG_ARGV[0] || '%' THEN
      PERFORM set_config('lock_timeout', '0', true), pg_advisory_xact_lock_shared(${BARRIER});
    END IF;
    RETURN written;
  END $$`;

/**
 * Makes every transaction wait inside that writes a row of these tables with this word in it, while a barrier is closed. The
 * database must have been opened with a long statement timeout.
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
 * Starts works one after the other, each of which waits at the barrier inside its transaction, and runs `beside` when all of
 * them do. Then opens the barrier, and answers how the works ended. Does not run `beside` where one of them ends before.
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
