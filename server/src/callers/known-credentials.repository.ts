import type { Connection } from '../database/connect.ts';
import { sessionLives } from './standing.condition.ts';

/** Rows of one statement, so that none runs for long however many keys there are. */
const ROWS = 10_000;
/** Longer than any transaction that makes a credential, and than two database servers' clocks differ. */
const OVERLAP = "interval '5 minutes'";

const TABLES = {
  key: { table: 'access_key', hash: 'key_hash', mayWork: 'c.revoked_at IS NULL' },
  session: { table: 'session', hash: 'token_hash', mayWork: sessionLives('c') },
} as const;

/** The database's clock, as text; what is made from now on is found by `readNewCredentials`. */
export async function readClock(connection: Connection): Promise<string> {
  // SQL: it asks the clock and no table.
  const [row] = await connection.query<{ now: string }>('SELECT utc_text(ledger_now()) AS now');
  return row?.now ?? '';
}

/** Hands over the hashes of all keys and sessions that may work now or later, some thousands at a time. */
export async function readAllCredentials(
  connection: Connection,
  take: (hash: Buffer) => void,
): Promise<void> {
  for (const { table, hash, mayWork } of Object.values(TABLES)) {
    for (let after: Buffer = Buffer.alloc(0), more = true; more; ) {
      // SQL: one text for both tables, thousands of rows at a time.
      const rows = await connection.query<{ hash: Buffer }>(
        `SELECT ${hash} AS hash FROM ${table} c WHERE ${hash} > $1 AND ${mayWork} ORDER BY ${hash} LIMIT ${ROWS}`,
        [after],
      );
      for (const row of rows) take(row.hash);
      after = rows.at(-1)?.hash ?? after;
      more = rows.length === ROWS;
    }
  }
}

/** Hands over the hashes of keys and sessions made since a moment, and some from before; answers the database's clock. */
export async function readNewCredentials(
  connection: Connection,
  since: string,
  take: (hash: Buffer) => void,
): Promise<string> {
  // The clock may have been set back: what is made now must be found all the same.
  const start = `least($1::timestamptz, ledger_now()) - ${OVERLAP}`;
  // SQL: clock, keys and sessions in one statement, so that nothing falls between them.
  const rows = await connection.query<{ now: string; hash: Buffer | null }>(
    `SELECT utc_text(ledger_now()) AS now, made.hash FROM (SELECT) AS always LEFT JOIN (
       ${Object.values(TABLES)
         .map(({ table, hash }) => `SELECT ${hash} AS hash FROM ${table} WHERE created_at >= ${start}`)
         .join(' UNION ALL ')}) AS made ON true`,
    [since],
  );
  for (const { hash } of rows) if (hash !== null) take(hash);
  return rows[0]?.now ?? since;
}
