import { balanceColumns } from './balance.ts';

/** Who would pay is the first bucket in the order of the house that has enough, of one moment. */
export const QUOTE = `SELECT b.source, ${balanceColumns()}, price.amount FROM credit_bucket b
  CROSS JOIN LATERAL (SELECT CASE b.unit WHEN 'call' THEN 1 ELSE $2::int END AS amount) price
  WHERE b.account_id = $1 AND b.valid_from <= ledger_now() AND ledger_now() < b.valid_to
    AND b.total - b.used - b.held >= price.amount
  ORDER BY b.prio, b.valid_to, b.id LIMIT 1`;
