import { CONFIRMING } from '../database/confirmed.condition.ts';
import { balanceColumns } from './balance.ts';

const COLUMNS = `r.state, r.lease_until <= ledger_now() AS lease_over, r.source, r.amount, r.attempt,
    r.bucket_id, utc_text(r.score_version) AS score_version, ${balanceColumns()}, r.used_after`;
const RUN = 'usage_run r JOIN credit_bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id';
const ASKED = 'r.account_id = $1 AND r.ledger_id = $2';

/** A run with its bucket, and whether its lease is over by the database’s clock. */
export const READ_RUN = `SELECT ${COLUMNS} FROM ${RUN} WHERE ${ASKED}`;

/**
 * The same, a row without a state where there is none. It commits a message of its own, which a standby confirms after all that
 * was read here: what was read in another statement may be of a server that leads no more.
 */
export const READ_RUN_CONFIRMED = `SELECT ${COLUMNS}
  FROM ${CONFIRMING} LEFT JOIN (${RUN}) ON ${ASKED}`;
