import type { Connection } from '../../platform/database/connect.ts';

/** Builds the SQL condition that the column `id` is in the key range: above $1, up to $2. */
const within = (id: string) => `${id} > $1::uuid AND ${id} <= $2::uuid`;

const A = within('account_id');

/**
 * Returns the account at which the next key range ends: the range starts after account $1 and contains about $2 ended
 * runs. No row if fewer runs remain.
 */
const ACCOUNT_AFTER = `SELECT account_id AS id FROM ended_run WHERE account_id > $1::uuid
  ORDER BY account_id, idempotency_key, attempt OFFSET $2 LIMIT 1`;

/**
 * Returns the subject at which the next key range ends: the range starts after subject $1 and contains about $2
 * scores. No row if fewer scores remain.
 */
const SUBJECT_AFTER = `SELECT subject_id AS id FROM score_version WHERE subject_id > $1::uuid
  ORDER BY subject_id, version OFFSET $2 LIMIT 1`;

/** Counts the ended runs and the scores. Progress is shown relative to this number. */
const ROWS = 'SELECT (SELECT count(*) FROM ended_run)::float8 + (SELECT count(*) FROM score_version) AS rows';

/**
 * Counts the buckets, runs and ledger entries of a range of accounts. An ended run has two entries, its hold and its
 * end, unless a roll-up entry replaces them. An open run has one.
 */
const COUNTS = `SELECT (SELECT count(*)::int FROM credit_bucket WHERE ${A}) AS buckets, count(*)::int AS runs,
  (coalesce(sum(CASE WHEN r.state = 'reserved' THEN 1 WHEN b.archived_at IS NULL THEN 2 ELSE 0 END), 0)
    + (SELECT count(*) FROM bucket_entry WHERE ${A}))::int AS entries
FROM usage_run r LEFT JOIN credit_bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id WHERE ${within('r.account_id')}`;

/**
 * Checks the invariants of a range of accounts. The spending of a key with limits is checked from the month in which
 * its limit was set; keys that replace each other are counted together. One statement reads one consistent snapshot, so
 * that calls in progress never cause a false report. Reads the runs of an account once instead of for each check,
 * because the rows are scattered over the table, and each costs the read of a page.
 */
const ACCOUNT_CHECKS = `
WITH bucket AS MATERIALIZED (SELECT * FROM credit_bucket WHERE ${A}),
run AS MATERIALIZED (SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, attempt,
  subject_id, source, amount, state, created_at, score_version, used_after FROM usage_run WHERE ${A}),
called AS MATERIALIZED (SELECT account_id, bucket_id, coalesce(sum(amount) FILTER (WHERE state = 'reserved'), 0) AS held,
  coalesce(sum(amount) FILTER (WHERE state = 'settled'), 0) AS used FROM run GROUP BY 1, 2),
given AS MATERIALIZED (SELECT account_id, bucket_id, sum(d_total) AS total, sum(d_used) AS used, sum(d_held) AS held,
  bool_or(kind = 'carry') AS carried FROM bucket_entry WHERE ${A} GROUP BY 1, 2),
balance AS MATERIALIZED (SELECT b.*, coalesce(g.total, 0) AS given_total, coalesce(g.used, 0) AS given_used,
    coalesce(g.held, 0) AS given_held, coalesce(g.carried, false) AS carried, coalesce(c.used, 0) AS called_used,
    coalesce(c.held, 0) AS called_held
  FROM bucket b LEFT JOIN given g ON g.account_id = b.account_id AND g.bucket_id = b.id
  LEFT JOIN called c ON c.account_id = b.account_id AND c.bucket_id = b.id),
limited AS MATERIALIZED (SELECT k.id, (SELECT min(month) FROM key_spending WHERE key_id = k.id) AS since
  FROM (SELECT DISTINCT coalesce(spends_as, id) AS id FROM access_key
    WHERE ${A} AND (monthly_calls IS NOT NULL OR monthly_credits IS NOT NULL)) k),
spent AS MATERIALIZED (SELECT l.id AS key_id, month_of(r.created_at) AS month, count(*) AS calls,
    coalesce(sum(r.amount) FILTER (WHERE r.source <> 'free'), 0) AS credits
  FROM run r JOIN access_key k ON k.id = coalesce(r.key_id, r.attributed_key_id)
  JOIN limited l ON l.id = coalesce(k.spends_as, k.id)
  WHERE r.state <> 'failed' AND month_of(r.created_at) >= l.since GROUP BY 1, 2)
SELECT 'bucket differs from the sum of its entries' AS problem, account_id || '/' || id AS id FROM balance
  WHERE (total, used, held) <> (given_total, given_used + CASE WHEN archived_at IS NULL THEN called_used ELSE 0 END,
    given_held + called_held)
UNION ALL SELECT 'archived bucket without its roll-up entry', account_id || '/' || id FROM balance
  WHERE archived_at IS NOT NULL AND NOT carried
UNION ALL SELECT 'held differs from the open runs', account_id || '/' || id FROM balance WHERE held <> called_held
UNION ALL SELECT 'used differs from the settled runs', account_id || '/' || id FROM balance WHERE used <> called_used
UNION ALL SELECT 'charge that overlaps the previous charge of its bucket', s.ledger_id::text
  FROM (SELECT account_id, bucket_id, ledger_id, amount, used_after, lag(used_after, 1, 0::bigint)
      OVER (PARTITION BY account_id, bucket_id ORDER BY used_after) AS used_before
    FROM run WHERE state = 'settled' AND used_after IS NOT NULL) s
  JOIN balance b ON b.account_id = s.account_id AND b.id = s.bucket_id
  WHERE s.used_after - s.amount < s.used_before OR s.used_after > b.used
UNION ALL SELECT 'run that is both open and ended', r.ledger_id::text FROM open_run r
  JOIN ended_run e ON e.account_id = r.account_id AND e.ledger_id = r.ledger_id WHERE ${within('r.account_id')}
UNION ALL SELECT 'entry without its bucket', g.account_id || '/' || g.bucket_id FROM given g
  LEFT JOIN bucket b ON b.account_id = g.account_id AND b.id = g.bucket_id WHERE b.id IS NULL
UNION ALL SELECT 'run without its bucket', r.ledger_id::text FROM run r
  LEFT JOIN bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id WHERE b.id IS NULL
UNION ALL SELECT 'run without its subject', r.ledger_id::text FROM run r
  LEFT JOIN subject s ON s.id = r.subject_id WHERE s.id IS NULL
UNION ALL SELECT 'run without the key of its account', r.ledger_id::text FROM run r
  LEFT JOIN access_key k ON k.account_id = r.account_id AND k.id = coalesce(r.key_id, r.attributed_key_id)
  WHERE coalesce(r.key_id, r.attributed_key_id) IS NOT NULL AND k.id IS NULL
UNION ALL SELECT 'run without the session of its account', r.ledger_id::text FROM run r
  LEFT JOIN session s ON s.account_id = r.account_id AND s.id = r.session_id
  WHERE r.session_id IS NOT NULL AND s.id IS NULL
UNION ALL SELECT 'two live runs of one idempotency key', account_id || '/' || idempotency_key FROM run
  WHERE state IN ('reserved', 'settled') GROUP BY account_id, idempotency_key HAVING count(*) > 1
UNION ALL SELECT 'attempts of one idempotency key that are not consecutive', account_id || '/' || idempotency_key
  FROM run GROUP BY account_id, idempotency_key
  HAVING max(attempt) <> count(*) OR max(attempt) > min(attempt) FILTER (WHERE state <> 'failed')
UNION ALL SELECT 'run reserved outside its bucket''s period', r.ledger_id::text FROM run r
  JOIN bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id
  WHERE r.source <> b.source OR r.created_at < b.valid_from OR r.created_at >= b.valid_to + interval '1 minute'
UNION ALL SELECT 'settled run without its score', r.ledger_id::text FROM run r
  LEFT JOIN score_version s ON s.subject_id = r.subject_id AND s.version = r.score_version
  WHERE r.state = 'settled' AND s.ledger_id IS DISTINCT FROM r.ledger_id
UNION ALL SELECT 'spending of a limited key differs from its runs', coalesce(s.key_id, c.key_id) || '/' || utc_text(coalesce(s.month, c.month))
  FROM (SELECT s.* FROM key_spending s JOIN limited l ON l.id = s.key_id) s
  FULL JOIN spent c ON c.key_id = s.key_id AND c.month = s.month
  WHERE (coalesce(s.calls, 0), coalesce(s.credits, 0)) <> (coalesce(c.calls, 0), coalesce(c.credits, 0))`;

/** Checks the invariants of a range of subjects, also in one snapshot. */
const SUBJECT_CHECKS = `
SELECT 'score of a call without its settled run' AS problem, s.subject_id || '/' || utc_text(s.version) AS id FROM score_version s
  LEFT JOIN ended_run r ON r.ledger_id = s.ledger_id AND r.subject_id = s.subject_id AND r.score_version = s.version
  WHERE ${within('s.subject_id')} AND s.ledger_id IS NOT NULL AND r.ledger_id IS NULL
UNION ALL SELECT 'score without its evidence', s.subject_id || '/' || utc_text(s.version) FROM score_version s
  LEFT JOIN score_evidence e ON e.subject_id = s.subject_id AND e.content = s.content
  WHERE ${within('s.subject_id')} AND e.content IS NULL
UNION ALL SELECT 'archived score without its archived evidence', e.subject_id || '/' || e.content FROM score_evidence e
  LEFT JOIN (SELECT subject_id, part, jsonb_object_keys(details) AS content FROM score_archive WHERE ${within('subject_id')}) a
  ON a.subject_id = e.subject_id AND a.part = e.archived_in AND a.content = e.content::text
  WHERE ${within('e.subject_id')} AND e.archived_in IS NOT NULL AND a.content IS NULL
UNION ALL SELECT 'current version is not the newest score', s.id::text FROM subject s
  JOIN (SELECT subject_id, max(version) AS newest FROM score_version WHERE ${within('subject_id')} GROUP BY 1) n
  ON n.subject_id = s.id WHERE ${within('s.id')} AND s.current_version IS DISTINCT FROM n.newest
UNION ALL SELECT 'listing shows a score that is not the current one', l.subject_id::text FROM listing l
  JOIN subject s ON s.id = l.subject_id LEFT JOIN listing_rank k ON k.subject_id = l.subject_id
  WHERE ${within('l.subject_id')} AND (k.subject_id IS NULL OR k.score_version IS DISTINCT FROM s.current_version)`;

/** A violated invariant, with the id of the row that violates it. */
interface Violation {
  problem: string;
  id: string;
}

interface Counts {
  buckets: number;
  runs: number;
  entries: number;
}

export interface LedgerReport extends Counts {
  bad: Violation[];
  /** Position to continue from, if stopped early. */
  resumeFrom?: string;
}

export interface VerifyOptions {
  /** `resumeFrom` of an earlier report. */
  from?: string;
  /** Stops after the current key range. */
  signal?: AbortSignal;
  /** Called after each key range with its approximate number of runs or scores. */
  onRows?: (rows: number) => void;
  /**
   * Approximate number of runs or scores per key range. The runs of one account and the scores of one subject are never
   * split.
   */
  rowsAtOnce?: number;
}

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const ROWS_AT_ONCE = 100_000;
/** The check stops once it has found more violations than this, so that memory stays bounded. */
const MAX_VIOLATIONS = 1_000;

/** Checks the ledger by account, then the scores by subject. */
const STAGES = [
  { name: 'account', after: ACCOUNT_AFTER, checks: ACCOUNT_CHECKS, counts: COUNTS },
  { name: 'subject', after: SUBJECT_AFTER, checks: SUBJECT_CHECKS, counts: null },
];

/**
 * Checks the ledger's invariants by key range, each in one snapshot, while calls are in progress. Memory does not grow
 * with the ledger. `bad` is empty if all invariants hold in the ranges that were checked. Writes nothing.
 */
export async function verifyLedger(
  connection: Connection,
  options: VerifyOptions = {},
): Promise<LedgerReport> {
  const { signal, onRows, rowsAtOnce = ROWS_AT_ONCE } = options;
  const report: LedgerReport = { buckets: 0, runs: 0, entries: 0, bad: [] };
  let [name = 'account', id = LEAST_ID] = options.from?.split('/') ?? [];
  for (const stage of STAGES.slice(STAGES.findIndex((each) => each.name === name))) {
    if (stage.name !== name) [name, id] = [stage.name, LEAST_ID];
    while (id !== GREATEST_ID) {
      if (signal?.aborted) return { ...report, resumeFrom: `${name}/${id}` };
      const [end] = await connection.query<{ id: string }>(stage.after, [id, rowsAtOnce]);
      const keyRange = [id, end?.id ?? GREATEST_ID];
      const bad = await connection.query<Violation>(`${stage.checks} LIMIT ${MAX_VIOLATIONS + 1}`, keyRange);
      report.bad.push(...bad);
      // The report of this key range is incomplete, so a later check starts with this key range again.
      if (report.bad.length > MAX_VIOLATIONS) return { ...report, resumeFrom: `${name}/${id}` };
      if (stage.counts) add(report, await connection.query<Counts>(stage.counts, keyRange));
      onRows?.(rowsAtOnce);
      id = keyRange[1] as string;
    }
  }
  return report;
}

/** Estimates the rows that `onRows` will report in total. */
export async function countRows(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>(ROWS);
  return row?.rows ?? 0;
}

function add(report: LedgerReport, [counts]: Counts[]): void {
  report.buckets += counts?.buckets ?? 0;
  report.runs += counts?.runs ?? 0;
  report.entries += counts?.entries ?? 0;
}
