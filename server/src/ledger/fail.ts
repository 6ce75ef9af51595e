import { batchJson } from '../database/batch.condition.ts';
import { coalesce, onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { sharedRoom } from '../database/shared-room.ts';
import { FAIL } from './fail.sql.ts';
import { ledgerTurns } from './ledger-turns.ts';

/** `abandoned`: its call was answered before the hold stood; the others are what the scoring backend did. */
export type FailCode = 'upstream' | 'upstream_timeout' | 'upstream_rejected' | 'abandoned';

/** What names an open run. */
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

const FAILING = onEach((connection) =>
  coalesce<{ run: OpenRun; code: FailCode }, boolean>({
    name: 'fail',
    watch: connection.watch,
    run: (all) => failAll(connection, all),
    laneOf: ({ run }) => run.accountId,
    keyOf: ({ run }) => run.ledgerId,
    room: sharedRoom(connection),
    turns: ledgerTurns(connection),
    ends: true,
  }),
);

/**
 * S3: ends an open run as failed and gives its hold back; the runs that wait for it go in one statement. False when it was
 * no longer open.
 */
export function fail(connection: Connection, run: OpenRun, code: FailCode): Promise<boolean> {
  return FAILING(connection)({ run, code });
}
