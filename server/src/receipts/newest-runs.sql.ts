import { RUN_STATES } from '../ledger/look-up.ts';
import { isOfKind } from '../ledger/run-kind.condition.ts';
import { OPERATIONS } from '../plans/plans.ts';

/** Which of the caller's runs are asked for; null asks for any. */
export interface RunQuestion {
  /** Only runs older than this one. */
  before: RunPlace | null;
  /** Only runs from this moment on. */
  since: string | null;
  operation: string | null;
  state: string | null;
  limit: number;
}

/** Where a run stands in the list: the database's time of its making, and what tells runs of one moment apart. */
export interface RunPlace {
  /** ISO 8601 UTC with six decimals. */
  created_at: string;
  ledger_id: string;
}

// The index holds the ended runs of each kind in time; the open ones, which are few, have their own. The
// newest of each are looked at, and the newest of these taken: what a filter leaves out is never read, however rare the
// rest is.
const NEWEST = `SELECT * FROM usage_run u
    WHERE ($4::timestamptz IS NULL OR (u.created_at <= $4 AND (u.created_at, u.ledger_id) < ($4, $5::uuid)))
    AND ($7::timestamptz IS NULL OR u.created_at >= $7)`;
const IN_ORDER = 'ORDER BY u.created_at DESC, u.ledger_id DESC LIMIT $6';
/** The newest runs of each operation and state of the account `k`, in no order. */
export const NEWEST_OF_EACH = `
SELECT each.* FROM unnest($2::text[]) o(operation), unnest($3::text[]) t(state), LATERAL (
  (${NEWEST} AND u.state <> 'reserved' AND ${isOfKind('u', 'k.account_id', 'o.operation', 't.state')} ${IN_ORDER})
  UNION ALL (${NEWEST} AND u.account_id = k.account_id AND u.operation = o.operation
    AND t.state = 'reserved' AND u.state = 'reserved' ${IN_ORDER})) each`;

/** `$2` to `$7` of a statement that reads the newest of each operation and state. */
export function placesOf({ before, since, operation, state, limit }: RunQuestion): unknown[] {
  const operations = operation === null ? OPERATIONS : [operation];
  const states = state === null ? RUN_STATES : [state];
  return [operations, states, before?.created_at ?? null, before?.ledger_id ?? null, limit, since];
}
