import { callerOf } from '../callers/caller.condition.ts';
import { keyWorks } from '../callers/standing.condition.ts';
import { batchRows } from '../database/batch.condition.ts';
import { WAITS_FOR_STANDBY } from '../database/confirmed.condition.ts';
import { balanceColumns } from './balance.ts';

const LAST_RUN = 'ledger_id, bucket_id, attempt, fingerprint, lease_until, source, amount, subject_id';

/** What a statement reads besides, of each call `c` whose caller is known; `p` is the last run of its key. */
export interface ReadBesides {
  /** Of the batch; they begin with a comma. */
  readonly fields: string;
  /** Among its WITH; they begin with a comma. */
  readonly tables: string;
  /** They end with a comma. */
  readonly columns: string;
  readonly joins: string;
}

const NOTHING_BESIDES: ReadBesides = { fields: '', tables: '', columns: '', joins: '' };

const CALL_COLUMNS = 'hash bytea, scope text, key text, fingerprint bytea, price int, named text';

const OF_ACCOUNT = `, plan_in_force(o.plan, o.next_plan, o.next_plan_from) AS plan, o.overage_enabled, o.overage_cap`;

/** The bucket of a run is read with it, once that is found: nothing is looked up for a new key. */
const LAST_OF_KEY = `SELECT r.*, ${balanceColumns()} FROM (
    (SELECT ${LAST_RUN}, 'reserved' AS state, NULL::timestamptz AS ended_at FROM open_run r
      WHERE r.idempotency_key = c.key AND r.account_id IS NOT DISTINCT FROM k.account_id)
    UNION ALL (SELECT ${LAST_RUN}, state, ended_at FROM ended_run r
      WHERE r.account_id = k.account_id AND r.idempotency_key = c.key ORDER BY r.attempt DESC LIMIT 1)
    ORDER BY attempt DESC LIMIT 1) r
  LEFT JOIN credit_bucket b ON b.account_id = k.account_id AND b.id = r.bucket_id OFFSET 0`;

const lookUpSql = (caller: string, named: { columns: string; join: string }, besides: ReadBesides) => `
WITH c AS MATERIALIZED (${batchRows(`${CALL_COLUMNS}${besides.fields}`)}),
month AS MATERIALIZED (SELECT date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS since)${besides.tables}
SELECT ${besides.columns}c.n, k.account_id, k.key_id, k.session_id, k.revoked, k.paused, k.expired, k.ended, k.unnoted, k.suspended,
  k.plan, k.overage_enabled, k.overage_cap,
  coalesce(c.scope = ANY (k.scopes), true) AS scope_ok, ${named.columns},
  pay.affordable, NOT pay.affordable AND EXISTS (SELECT 1 FROM open_run o
    WHERE o.account_id IS NOT DISTINCT FROM k.account_id AND o.lease_until <= ledger_now()) AS reapable,
  pay.open_periods,
  p.ledger_id, p.bucket_id, p.state, p.attempt, p.fingerprint = c.fingerprint AS same_body,
  p.lease_until <= ledger_now() AS lease_over,
  p.state = 'failed' AND p.ended_at > ledger_now() - interval '1 minute' AS failed_just_now,
  ${WAITS_FOR_STANDBY} AS unconfirmed,
  p.source AS charge_source, p.amount, p.subject_id, p.period_kind, p.period_start, p.period_end, p.total, p.used
FROM c CROSS JOIN LATERAL (${caller}) k
CROSS JOIN LATERAL (SELECT coalesce(bool_or(x.valid_from <= ledger_now() AND ledger_now() < x.valid_to
      AND x.total - x.used - x.held >= CASE x.unit WHEN 'call' THEN 1 ELSE c.price END), false) AS affordable,
    coalesce(array_agg(x.source) FILTER (WHERE x.period_kind = 'month' AND x.valid_from = (SELECT since FROM month)), '{}') AS open_periods
  FROM credit_bucket x WHERE x.account_id = k.account_id) pay
${named.join}
LEFT JOIN LATERAL (${LAST_OF_KEY}) p ON true
${besides.joins}`;

const NO_NAMED_KEY = { columns: 'NULL::boolean AS named_works, false AS named_scope_ok', join: '' };
const NAMED_KEY = {
  columns: `CASE WHEN n.id IS NOT NULL THEN ${keyWorks('n')} END AS named_works, c.scope = ANY (n.scopes) AS named_scope_ok`,
  join: `LEFT JOIN access_key n ON n.account_id = k.account_id
    AND n.id = CASE WHEN c.named ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN c.named::uuid END`,
};

/** The statement of each kind of caller, which may read more; a session may name the key that its call is counted for. */
export const lookUpSqlOf = {
  key: (besides = NOTHING_BESIDES) => lookUpSql(callerOf.key('c.hash', OF_ACCOUNT), NO_NAMED_KEY, besides),
  session: (besides = NOTHING_BESIDES) =>
    lookUpSql(callerOf.session('c.hash', OF_ACCOUNT), NAMED_KEY, besides),
} as const;
