import type { Connection } from '../../platform/database/connect.ts';
import { sessionIsActive } from './caller.fragment.ts';

/** Rows per statement, so that each statement is short however many keys there are. */
const ROWS = 10_000;
/**
 * Time that is longer than any transaction that creates a credential, and than the clock difference between servers.
 */
const OVERLAP = "interval '5 minutes'";

const TABLES = {
  key: { table: 'access_key', hash: 'key_hash', mayWork: 'c.revoked_at IS NULL' },
  session: { table: 'session', hash: 'token_hash', mayWork: sessionIsActive('c') },
} as const;

/** Reads the database clock as text; pass it to `readNewCredentials` to find later credentials. */
export async function readClock(connection: Connection): Promise<string> {
  // SQL: reads only the clock, no table.
  const [row] = await connection.query<{ now: string }>('SELECT utc_text(ledger_now()) AS now');
  return row?.now ?? '';
}

/** Passes the hashes of all keys and sessions that are or may become valid to `take`, thousands at a time. */
export async function readAllCredentials(
  connection: Connection,
  take: (hash: Buffer) => void,
): Promise<void> {
  for (const { table, hash, mayWork } of Object.values(TABLES)) {
    for (let after: Buffer = Buffer.alloc(0), more = true; more; ) {
      // SQL: the same statement for both tables, which reads thousands of rows at a time in the order of their
      // hashes.
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

/**
 * Passes the hashes of keys and sessions created since a time, and of some earlier ones, to `take`. Returns the time
 * of the database clock.
 */
export async function readNewCredentials(
  connection: Connection,
  since: string,
  take: (hash: Buffer) => void,
): Promise<string> {
  // The clock may have been set back, but new rows must still be found.
  const start = `least($1::timestamptz, ledger_now()) - ${OVERLAP}`;
  // SQL: reads clock, keys and sessions in one statement, so that no row is missed.
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
