/** In the stretch that is checked: above $1, up to $2. */
const within = (id: string) => `${id} > $1::uuid AND ${id} <= $2::uuid`;
const A = within('account_id');
const RUNS = within('r.account_id');
const BUCKETS = within('b.account_id');

/** Where the stretch after $1 ends, if it is to have about $2 ended runs; nothing where fewer are left. */
export const ACCOUNT_AFTER = `SELECT account_id AS id FROM ended_run WHERE account_id > $1::uuid
  ORDER BY account_id, idempotency_key, attempt OFFSET $2 LIMIT 1`;
/** The same by scores. */
export const SUBJECT_AFTER = `SELECT subject_id AS id FROM score_version WHERE subject_id > $1::uuid
  ORDER BY subject_id, version OFFSET $2 LIMIT 1`;

/** What stretches are measured by. */
export const ROWS =
  'SELECT (SELECT count(*) FROM ended_run)::float8 + (SELECT count(*) FROM score_version) AS rows';

/** How much is in a stretch of accounts. */
export const COUNTS = `SELECT (SELECT count(*)::int FROM credit_bucket WHERE ${A}) AS buckets,
  (SELECT count(*)::int FROM usage_run WHERE ${A}) AS runs, (SELECT count(*)::int FROM ledger_entry WHERE ${A}) AS entries`;

/**
 * What a stretch of accounts must hold to. One statement, so one snapshot: it holds while calls are under way, and a bad row
 * is never a matter of timing.
 */
export const ACCOUNT_CHECKS = `
SELECT 'bucket differs from the sum of its entries' AS problem, b.account_id || '/' || b.id AS id
FROM credit_bucket b LEFT JOIN (SELECT account_id, bucket_id, sum(d_total) t, sum(d_used) u, sum(d_held) h
  FROM ledger_entry WHERE ${A} GROUP BY 1, 2) e ON e.account_id = b.account_id AND e.bucket_id = b.id
WHERE ${BUCKETS} AND (b.total, b.used, b.held) IS DISTINCT FROM
  (coalesce(e.t, 0)::bigint, coalesce(e.u, 0)::bigint, coalesce(e.h, 0)::bigint)
UNION ALL SELECT 'archived balance without its carry', b.account_id || '/' || b.id FROM credit_bucket b
  LEFT JOIN bucket_entry c ON c.account_id = b.account_id AND c.bucket_id = b.id AND c.kind = 'carry'
  WHERE ${BUCKETS} AND b.archived_at IS NOT NULL AND c.kind IS NULL
UNION ALL SELECT 'held differs from the open runs', b.account_id || '/' || b.id FROM credit_bucket b
  LEFT JOIN (SELECT account_id, bucket_id, sum(amount) a FROM usage_run WHERE state = 'reserved' AND ${A} GROUP BY 1, 2) r
  ON r.account_id = b.account_id AND r.bucket_id = b.id WHERE ${BUCKETS} AND b.held <> coalesce(r.a, 0)
UNION ALL SELECT 'used differs from the settled runs', b.account_id || '/' || b.id FROM credit_bucket b
  LEFT JOIN (SELECT account_id, bucket_id, sum(amount) a FROM usage_run WHERE state = 'settled' AND ${A} GROUP BY 1, 2) r
  ON r.account_id = b.account_id AND r.bucket_id = b.id WHERE ${BUCKETS} AND b.used <> coalesce(r.a, 0)
UNION ALL SELECT 'run that is open and ended', r.ledger_id::text FROM open_run r
  JOIN ended_run e ON e.account_id = r.account_id AND e.ledger_id = r.ledger_id WHERE ${RUNS}
UNION ALL SELECT 'entry without its bucket', e.account_id || '/' || e.bucket_id FROM ledger_entry e
  LEFT JOIN credit_bucket b ON b.account_id = e.account_id AND b.id = e.bucket_id
  WHERE ${within('e.account_id')} AND b.id IS NULL
UNION ALL SELECT 'run without its bucket', r.ledger_id::text FROM usage_run r
  LEFT JOIN credit_bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id WHERE ${RUNS} AND b.id IS NULL
UNION ALL SELECT 'run without its subject', r.ledger_id::text FROM usage_run r
  LEFT JOIN subject s ON s.id = r.subject_id WHERE ${RUNS} AND s.id IS NULL
UNION ALL SELECT 'run without the key of its account', r.ledger_id::text FROM usage_run r
  LEFT JOIN access_key k ON k.account_id = r.account_id AND k.id = coalesce(r.key_id, r.attributed_key_id)
  WHERE ${RUNS} AND coalesce(r.key_id, r.attributed_key_id) IS NOT NULL AND k.id IS NULL
UNION ALL SELECT 'run without the session of its account', r.ledger_id::text FROM usage_run r
  LEFT JOIN session s ON s.account_id = r.account_id AND s.id = r.session_id
  WHERE ${RUNS} AND r.session_id IS NOT NULL AND s.id IS NULL
UNION ALL SELECT 'two live runs of one idempotency key', account_id || '/' || idempotency_key FROM usage_run
  WHERE ${A} AND state IN ('reserved', 'settled') GROUP BY account_id, idempotency_key HAVING count(*) > 1
UNION ALL SELECT 'attempts of one idempotency key that do not follow each other', account_id || '/' || idempotency_key
  FROM usage_run WHERE ${A} GROUP BY account_id, idempotency_key
  HAVING max(attempt) <> count(*) OR max(attempt) > min(attempt) FILTER (WHERE state <> 'failed')
UNION ALL SELECT 'run reserved outside its bucket''s period', r.ledger_id::text FROM usage_run r
  JOIN credit_bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id
  WHERE ${RUNS} AND (r.source <> b.source OR r.created_at < b.valid_from OR r.created_at >= b.valid_to + interval '1 minute')
UNION ALL SELECT 'settled run without its score', r.ledger_id::text FROM ended_run r
  LEFT JOIN score_version s ON s.subject_id = r.subject_id AND s.version = r.score_version
  WHERE ${RUNS} AND r.state = 'settled' AND s.ledger_id IS DISTINCT FROM r.ledger_id`;

/** What a stretch of subjects must hold to; of one snapshot, too. */
export const SUBJECT_CHECKS = `
SELECT 'score of a call without its settled run' AS problem, s.subject_id || '/' || utc_text(s.version) AS id FROM score_version s
  LEFT JOIN ended_run r ON r.ledger_id = s.ledger_id AND r.subject_id = s.subject_id AND r.score_version = s.version
  WHERE ${within('s.subject_id')} AND s.ledger_id IS NOT NULL AND r.ledger_id IS NULL
UNION ALL SELECT 'score without its evidence', s.subject_id || '/' || utc_text(s.version) FROM score_version s
  LEFT JOIN score_evidence e ON e.subject_id = s.subject_id AND e.content = s.content
  WHERE ${within('s.subject_id')} AND e.content IS NULL
UNION ALL SELECT 'archived score without what it was made of', e.subject_id || '/' || e.content FROM score_evidence e
  LEFT JOIN (SELECT subject_id, part, jsonb_object_keys(details) AS content FROM score_archive WHERE ${within('subject_id')}) a
  ON a.subject_id = e.subject_id AND a.part = e.archived_in AND a.content = e.content::text
  WHERE ${within('e.subject_id')} AND e.archived_in IS NOT NULL AND a.content IS NULL
UNION ALL SELECT 'current version is not the newest score', s.id::text FROM subject s
  JOIN (SELECT subject_id, max(version) AS newest FROM score_version WHERE ${within('subject_id')} GROUP BY 1) n
  ON n.subject_id = s.id WHERE ${within('s.id')} AND s.current_version IS DISTINCT FROM n.newest
UNION ALL SELECT 'listing shows another score than the current one', l.subject_id::text FROM listing l
  JOIN subject s ON s.id = l.subject_id LEFT JOIN listing_rank k ON k.subject_id = l.subject_id
  WHERE ${within('l.subject_id')} AND (k.subject_id IS NULL OR k.score_version IS DISTINCT FROM s.current_version)`;
