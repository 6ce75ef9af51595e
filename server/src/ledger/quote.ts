import type { Connection } from '../database/connect.ts';
import { BALANCE_COLUMNS, type Balance, type BalanceRow, balanceOf, type ChargeSource } from './balance.ts';

/**
 * The bucket that would pay for a call of this price now, in the order in which reserve takes them, and how it would stand
 * once the call is paid; null when none can pay.
 */
export async function quote(
  connection: Connection,
  accountId: string,
  priceCredits: number,
): Promise<{ source: ChargeSource; balance: Balance } | null> {
  const [row] = await connection.query<BalanceRow & { source: ChargeSource; amount: number }>(
    `SELECT b.source, ${BALANCE_COLUMNS}, price.amount FROM credit_bucket b
     CROSS JOIN LATERAL (SELECT CASE b.unit WHEN 'call' THEN 1 ELSE $2::int END AS amount) price
     WHERE b.account_id = $1 AND b.valid_from <= ledger_now() AND ledger_now() < b.valid_to
       AND b.total - b.used - b.held >= price.amount
     ORDER BY b.prio, b.valid_to, b.id LIMIT 1`,
    [accountId, priceCredits],
  );
  return row ? { source: row.source, balance: balanceOf({ ...row, used: row.used + row.amount }) } : null;
}
