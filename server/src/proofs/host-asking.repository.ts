import type { Connection } from '../database/connect.ts';

/** So many in a row are free of any pause: the host's own caches make people look twice. */
const AT_ONCE = 5;
const FIRST_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 600;

const PAUSE = `CASE WHEN a.times < ${AT_ONCE} THEN interval '0' ELSE least(${LONGEST_PAUSE_SECONDS},
  ${FIRST_PAUSE_SECONDS} * power(2, least(a.times, 30) - ${AT_ONCE})) * interval '1 second' END`;

/**
 * Notes that a host is asked for an account now and answers 0; or answers how many seconds the account has to wait until
 * it may be, and notes nothing. After five in a row each pause is twice as long as the one before, from ten seconds to
 * ten minutes; an hour's rest begins anew. Links that are removed and made again count on.
 */
export async function claimHostAsking(
  connection: Connection,
  accountId: string,
  host: string,
): Promise<number> {
  const claimed = await connection.query(
    `INSERT INTO host_asking AS a (account_id, host, times, last_at) VALUES ($1, $2, 1, ledger_now())
     ON CONFLICT (account_id, host) DO UPDATE SET last_at = excluded.last_at,
       times = CASE WHEN a.last_at <= excluded.last_at - interval '1 hour' THEN 1 ELSE a.times + 1 END
     WHERE a.last_at + ${PAUSE} <= excluded.last_at RETURNING 1 AS one`,
    [accountId, host],
  );
  if (claimed.length > 0) return 0;
  const [row] = await connection.query<{ seconds: number }>(
    `SELECT ceil(extract(epoch FROM a.last_at + ${PAUSE} - ledger_now()))::int AS seconds
     FROM host_asking a WHERE a.account_id = $1 AND a.host = $2`,
    [accountId, host],
  );
  return Math.max(1, row?.seconds ?? 1);
}
