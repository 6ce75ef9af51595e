import { batchJson, batchRows } from '../database/batch.condition.ts';
import { coalesce, onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { LOCKED_BUCKETS } from './locked-buckets.sql.ts';

/** `abandoned`: its call was answered before the hold stood; the others are what the scoring backend did. */
export type FailCode = 'upstream' | 'upstream_timeout' | 'upstream_rejected' | 'abandoned';

/** What names an open run. */
interface OpenRun {
  accountId: string;
  bucketId: number;
  ledgerId: string;
}

const SQL = `
WITH c AS MATERIALIZED (${batchRows('account_id uuid, bucket_id bigint, ledger_id uuid, code text')}),
b0 AS MATERIALIZED (${LOCKED_BUCKETS}),
r AS (UPDATE usage_run r SET state = 'failed', fail_code = c.code, ended_at = ledger_now()
  FROM b0 JOIN c ON c.account_id = b0.account_id AND c.bucket_id = b0.id
  WHERE r.account_id = c.account_id AND r.ledger_id = c.ledger_id AND r.bucket_id = b0.id AND r.state = 'reserved'
  RETURNING c.n, r.account_id, r.ledger_id, r.bucket_id, r.amount),
b AS (UPDATE credit_bucket b SET held = b.held - ended.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM r GROUP BY account_id, bucket_id) ended
  WHERE b.account_id = ended.account_id AND b.id = ended.bucket_id),
e AS (INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_held)
  SELECT account_id, ledger_id, bucket_id, 'reverse', -amount FROM r)
SELECT n FROM r`;

async function failAll(
  connection: Connection,
  all: readonly { run: OpenRun; code: FailCode }[],
): Promise<boolean[]> {
  const items = all.map(({ run, code }) => ({
    account_id: run.accountId,
    bucket_id: run.bucketId,
    ledger_id: run.ledgerId,
    code,
  }));
  const failed = new Set((await connection.query<{ n: number }>(SQL, [batchJson(items)])).map(({ n }) => n));
  return all.map((_, n) => failed.has(n));
}

const FAILING = onEach((connection) =>
  coalesce<{ run: OpenRun; code: FailCode }, boolean>({
    run: (all) => failAll(connection, all),
    laneOf: ({ run }) => run.accountId,
    keyOf: ({ run }) => run.ledgerId,
  }),
);

/**
 * S3: ends an open run as failed and gives its hold back; the runs that wait for it go in one statement. False when it was
 * no longer open.
 */
export function fail(connection: Connection, run: OpenRun, code: FailCode): Promise<boolean> {
  return FAILING(connection)({ run, code });
}
