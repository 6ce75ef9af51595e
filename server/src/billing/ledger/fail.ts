import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import { createBatcher } from '../../platform/batching/batcher.ts';
import { perConnection, statementLimiter } from '../../platform/batching/concurrency-control.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { isOpenRunOf, LOCKED_BUCKETS, ledgerMutex, RUN_COLUMNS, runColumnsOf } from './ledger.sql.ts';

/**
 * Moves runs from `open_run` to `ended_run` as failed and releases their holds, atomically. Locks buckets first, like
 * every statement that ends runs. Finds a run by its id, like `SETTLE`.
 */
export const FAIL = `
WITH c AS MATERIALIZED (${batchRows('account_id uuid, bucket_id bigint, ledger_id uuid, code text')}),
b0 AS MATERIALIZED (${LOCKED_BUCKETS}),
o AS (DELETE FROM open_run r USING b0 JOIN c ON c.account_id = b0.account_id AND c.bucket_id = b0.id
  WHERE ${isOpenRunOf('c')}
  RETURNING c.n, c.code, ${runColumnsOf('r')}),
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, fail_code, ended_at)
  SELECT ${RUN_COLUMNS}, 'failed', code, ledger_now() FROM o),
b AS (UPDATE credit_bucket b SET held = b.held - ended.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM o GROUP BY account_id, bucket_id) ended
  WHERE b.account_id = ended.account_id AND b.id = ended.bucket_id)
SELECT n FROM o`;

/**
 * Reason of a failed run. `abandoned`: the client got its response before the run was opened. All other codes mean a
 * failure of the scoring backend.
 */
export type FailCode = 'upstream' | 'upstream_timeout' | 'upstream_rejected' | 'abandoned';

/** Identifies an open run. */
interface OpenRun {
  accountId: string;
  bucketId: number;
  ledgerId: string;
}

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
  const failed = new Set((await connection.query<{ n: number }>(FAIL, [batchJson(items)])).map(({ n }) => n));
  return all.map((_, n) => failed.has(n));
}

const failBatcher = perConnection((connection) =>
  createBatcher<{ run: OpenRun; code: FailCode }, boolean>({
    name: 'fail',
    watch: connection.watch,
    run: (all) => failAll(connection, all),
    partitionKeyOf: ({ run }) => run.accountId,
    keyOf: ({ run }) => run.ledgerId,
    limiter: statementLimiter(connection),
    mutex: ledgerMutex(connection),
    isTerminal: true,
  }),
);

/**
 * Ends an open run as failed and releases its hold. Concurrent calls of this function are batched. Returns false if the
 * run was no longer open.
 */
export function fail(connection: Connection, run: OpenRun, code: FailCode): Promise<boolean> {
  return failBatcher(connection)({ run, code });
}
