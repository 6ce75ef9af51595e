import type { Connection } from '../database/connect.ts';
import { sql } from '../database/models/expressions.ts';

/** So many in a row are free of any pause: the host's own caches make people look twice. */
const AT_ONCE = 5;
const FIRST_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 600;

/** SQL of how long after its last asking the row `alias` has to rest. */
const pause = (alias: string) =>
  `CASE WHEN ${alias}.times < ${AT_ONCE} THEN interval '0' ELSE least(${LONGEST_PAUSE_SECONDS},
  ${FIRST_PAUSE_SECONDS} * power(2, least(${alias}.times, 30) - ${AT_ONCE})) * interval '1 second' END`;
const SECONDS_LEFT = `ceil(extract(epoch FROM last_at + ${pause('host_asking')} - ledger_now()))::int`;

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
  // SQL: of two at once, the second one waits and is judged by what the first has noted.
  const claimed = await connection.query(
    `INSERT INTO host_asking AS a (account_id, host, times, last_at) VALUES ($1, $2, 1, ledger_now())
     ON CONFLICT (account_id, host) DO UPDATE SET last_at = excluded.last_at,
       times = CASE WHEN a.last_at <= excluded.last_at - interval '1 hour' THEN 1 ELSE a.times + 1 END
     WHERE a.last_at + ${pause('a')} <= excluded.last_at RETURNING 1 AS one`,
    [accountId, host],
  );
  if (claimed.length > 0) return 0;
  const row = await connection.models.HostAsking.findOne<{ seconds: number }>({
    attributes: [[sql(SECONDS_LEFT), 'seconds']],
    where: { accountId, host },
    raw: true,
    transaction: connection.transaction,
  });
  return Math.max(1, row?.seconds ?? 1);
}
