import {
  accountIsBlocked,
  callerOf,
  keyIsActive,
  sessionIsActive,
} from '../../access/callers/caller.fragment.ts';
import { batchRows } from '../../platform/batching/batch-source.ts';
import { WAITS_FOR_STANDBY } from '../../platform/database/confirmed-client.ts';
import { balanceColumns } from './account-buckets.ts';

/**
 * Selects the account of a caller that may open a run. `c.caller` is the id of the key or session from the look-up,
 * `c.scope` the required scope, and `c.named` the key to which a session attributes the call. Checks again what may
 * have changed since the look-up: no run is opened if the credential was revoked or paused, has expired or lacks the
 * scope, or if the account was suspended or deleted.
 */
export const AUTHORIZED_CALLER = {
  key: `SELECT k.account_id FROM access_key k JOIN account o ON o.id = k.account_id
    WHERE k.id = c.caller AND ${keyIsActive('k')} AND c.scope = ANY (k.scopes) AND NOT ${accountIsBlocked('o')}`,
  session: `SELECT s.account_id FROM session s JOIN account o ON o.id = s.account_id
    WHERE s.id = c.caller AND ${sessionIsActive('s')} AND NOT ${accountIsBlocked('o')}
      AND (c.named IS NULL OR EXISTS (SELECT 1 FROM access_key n
        WHERE n.id = c.named AND n.account_id = s.account_id AND ${keyIsActive('n')} AND c.scope = ANY (n.scopes)))`,
} as const;

/** SQL values of the new run's columns key_id, session_id and attributed_key_id. */
export const RUN_CALLER = {
  key: 'pick.caller, NULL::uuid, NULL::uuid',
  session: 'NULL::uuid, pick.caller, pick.named',
} as const;

const LAST_RUN = 'ledger_id, bucket_id, attempt, fingerprint, lease_until, source, amount, subject_id';

/**
 * SQL fragments that add data to the look-up statement. They are evaluated for each call `c` with a known caller `k`;
 * `p` is the last run with the call's idempotency key.
 */
export interface BillingContextExtension {
  /** Extra columns of each batch item, with a leading comma. */
  readonly fields: string;
  /** Extra common table expressions, with a leading comma. */
  readonly tables: string;
  /** Extra result columns, with a trailing comma. */
  readonly columns: string;
  readonly joins: string;
}

const NO_EXTENSION: BillingContextExtension = { fields: '', tables: '', columns: '', joins: '' };

const CALL_COLUMNS = 'hash bytea, scope text, key text, fingerprint bytea, price int, named text';

const OF_ACCOUNT = `, plan_in_force(o.plan, o.next_plan, o.next_plan_from) AS plan, o.overage_enabled, o.overage_cap`;

/**
 * Selects the latest attempt with the call's idempotency key, open or ended, with its bucket. Reads the bucket only if
 * there is such a run.
 */
const LAST_OF_KEY = `SELECT r.*, ${balanceColumns()} FROM (
    (SELECT ${LAST_RUN}, 'reserved' AS state, NULL::timestamptz AS ended_at, NULL::bytea AS signature_sha256 FROM open_run r
      WHERE r.idempotency_key = c.key AND r.account_id IS NOT DISTINCT FROM k.account_id)
    UNION ALL (SELECT ${LAST_RUN}, state, ended_at, signature_sha256 FROM ended_run r
      WHERE r.account_id = k.account_id AND r.idempotency_key = c.key ORDER BY r.attempt DESC LIMIT 1)
    ORDER BY attempt DESC LIMIT 1) r
  LEFT JOIN credit_bucket b ON b.account_id = k.account_id AND b.id = r.bucket_id OFFSET 0`;

/**
 * Builds the columns and the join that read what the access key of a call has spent this month, including what the keys
 * that it replaces have spent. The key is the caller's own or, for a session, the key that the call names. For a key
 * without limits, nothing is read.
 */
const spendingOf = (key: string, id: string) => ({
  columns: `${key}.monthly_calls, ${key}.monthly_credits, coalesce(spent.calls, 0) AS spent_calls, coalesce(spent.credits, 0) AS spent_credits`,
  join: `LEFT JOIN key_spending spent ON spent.month = (SELECT since FROM month)
    AND spent.key_id = CASE WHEN ${key}.monthly_calls IS NOT NULL OR ${key}.monthly_credits IS NOT NULL
      THEN coalesce(${key}.spends_as, ${id}) END`,
});

const billingContextStatement = (
  caller: string,
  spending: ReturnType<typeof spendingOf>,
  named: { columns: string; join: string },
  besides: BillingContextExtension,
) => `
WITH c AS MATERIALIZED (${batchRows(`${CALL_COLUMNS}${besides.fields}`)}),
month AS MATERIALIZED (SELECT date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS since)${besides.tables}
SELECT ${besides.columns}c.n, k.account_id, k.key_id, k.session_id, k.revoked, k.paused, k.expired, k.ended, k.use_is_due, k.suspended,
  k.plan, k.overage_enabled, k.overage_cap,
  coalesce(c.scope = ANY (k.scopes), true) AS scope_ok, ${named.columns}, ${spending.columns}, pay.by_free_call,
  pay.affordable, NOT pay.affordable AND EXISTS (SELECT 1 FROM open_run o
    WHERE o.account_id IS NOT DISTINCT FROM k.account_id AND o.lease_until <= ledger_now()) AS reapable,
  pay.open_periods,
  p.ledger_id, p.bucket_id, p.state, p.attempt, p.fingerprint = c.fingerprint AS same_body,
  p.lease_until <= ledger_now() AS lease_over,
  p.state = 'failed' AND p.ended_at > ledger_now() - interval '1 minute' AS failed_just_now,
  ${WAITS_FOR_STANDBY} AS unconfirmed,
  p.source AS charge_source, p.amount, p.subject_id, p.signature_sha256, p.period_kind, p.period_start, p.period_end, p.total, p.used
FROM c CROSS JOIN LATERAL (${caller}) k
CROSS JOIN LATERAL (SELECT coalesce(bool_or(x.valid_from <= ledger_now() AND ledger_now() < x.valid_to
      AND x.total - x.used - x.held >= CASE x.unit WHEN 'call' THEN 1 ELSE c.price END), false) AS affordable,
    coalesce(bool_or(x.valid_from <= ledger_now() AND ledger_now() < x.valid_to AND x.unit = 'call'
      AND x.total - x.used - x.held >= 1), false) AS by_free_call,
    coalesce(array_agg(x.source) FILTER (WHERE x.period_kind = 'month' AND x.valid_from = (SELECT since FROM month)), '{}') AS open_periods
  FROM credit_bucket x WHERE x.account_id = k.account_id) pay
${named.join}
${spending.join}
LEFT JOIN LATERAL (${LAST_OF_KEY}) p ON true
${besides.joins}`;

const NO_NAMED_KEY = { columns: 'NULL::boolean AS named_works, false AS named_scope_ok', join: '' };
const NAMED_KEY = {
  columns: `CASE WHEN n.id IS NOT NULL THEN ${keyIsActive('n')} END AS named_works, c.scope = ANY (n.scopes) AS named_scope_ok`,
  join: `LEFT JOIN access_key n ON n.account_id = k.account_id
    AND n.id = CASE WHEN c.named ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN c.named::uuid END`,
};

/**
 * Builds the look-up statement for each kind of caller. `besides` has the fragments that extend it. A session's call
 * may name the key to which the call is attributed.
 */
export const billingContextSqlOf = {
  key: (besides = NO_EXTENSION) =>
    billingContextStatement(
      callerOf.key('c.hash', `${OF_ACCOUNT}, k.monthly_calls, k.monthly_credits, k.spends_as`),
      spendingOf('k', 'k.key_id'),
      NO_NAMED_KEY,
      besides,
    ),
  session: (besides = NO_EXTENSION) =>
    billingContextStatement(
      callerOf.session('c.hash', OF_ACCOUNT),
      spendingOf('n', 'n.id'),
      NAMED_KEY,
      besides,
    ),
} as const;
