/** How a call was paid. */
export type ChargeSource = 'free' | 'gifted' | 'included' | 'purchased' | 'overage';

/** A bucket's state as the wire shows it: `included_credits` is its total, in calls where the source is `free`. */
export interface Balance {
  period_kind: 'month' | 'grant';
  period_start: string;
  period_end: string;
  included_credits: number;
  included_used: number;
}

export interface BalanceRow {
  period_kind: Balance['period_kind'];
  period_start: string;
  period_end: string;
  total: number;
  used: number;
}

/** Builds the columns of a bucket `b` that make a balance, with another sum than its present one in `used` where one is given. */
export function balanceColumns(used = 'b.used'): string {
  return `b.period_kind, utc_text(b.valid_from) AS period_start, utc_text(b.valid_to) AS period_end,
  b.total, ${used} AS used`;
}

export function balanceOf(row: BalanceRow): Balance {
  return {
    period_kind: row.period_kind,
    period_start: row.period_start,
    period_end: row.period_end,
    included_credits: row.total,
    included_used: row.used,
  };
}
