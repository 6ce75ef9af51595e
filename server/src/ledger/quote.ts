import type { Connection } from '../database/connect.ts';
import { type Balance, type BalanceRow, balanceOf, type ChargeSource } from './balance.ts';
import { QUOTE } from './quote.sql.ts';

/**
 * The bucket that would pay for a call of this price now, in the order in which reserve takes them, and how it would stand
 * once the call is paid; null when none can pay.
 */
export async function quote(
  connection: Connection,
  accountId: string,
  priceCredits: number,
): Promise<{ source: ChargeSource; balance: Balance } | null> {
  const [row] = await connection.query<BalanceRow & { source: ChargeSource; amount: number }>(QUOTE, [
    accountId,
    priceCredits,
  ]);
  return row ? { source: row.source, balance: balanceOf({ ...row, used: row.used + row.amount }) } : null;
}
