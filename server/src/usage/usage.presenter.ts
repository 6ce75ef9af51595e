import type { UsagePage as WirePage, UsageRow as WireRow } from '../generated/types.gen.ts';
import type { UsagePage } from './read-usage.ts';
import type { UsageRow } from './usage.ts';

/** A page of usage under the wire's names. */
export function presentUsagePage({ rows, nextCursor }: UsagePage): WirePage {
  return { data: rows.map(presentRow), nextCursor };
}

function presentRow(row: UsageRow): WireRow {
  return {
    day: row.day,
    operation: row.operation,
    api_key_id: row.keyId,
    api_key_name: row.keyName,
    charge_source: row.source,
    period: { period_kind: row.period, period_start: row.periodFrom, period_end: row.periodTo },
    unit: row.unit,
    settled_calls: row.settledCalls,
    failed_calls: row.failedCalls,
    held_calls: row.heldCalls,
    used: row.used,
    held: row.held,
  };
}
