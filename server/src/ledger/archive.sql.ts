import { OPERATIONS } from '../plans/plans.ts';
import { isOfKind } from './run-kind.condition.ts';

const OPERATION_NAMES = OPERATIONS.map((name) => `('${name}')`).join(', ');

/** The moment before which a period counts as closed: so many days ago. */
export const CLOSED_BEFORE = 'SELECT utc_text(ledger_now() - make_interval(days => $1::int)) AS moment';

/** Where the stretch after ($1, $2) ends, if it is to have $3 buckets; nothing where none is left. */
export const BUCKET_AFTER = `SELECT account_id AS first, id::text AS second, count(*) OVER ()::int AS rows FROM (
  SELECT account_id, id FROM credit_bucket WHERE (account_id, id) > ($1::uuid, $2::bigint) ORDER BY account_id, id LIMIT $3) b
  ORDER BY account_id DESC, id DESC LIMIT 1`;
/** The same by contents of scores. */
export const CONTENT_AFTER = `SELECT subject_id AS first, content AS second, count(*) OVER ()::int AS rows FROM (
  SELECT subject_id, content FROM score_evidence WHERE (subject_id, content) > ($1::uuid, $2::uuid)
  ORDER BY subject_id, content LIMIT $3) e ORDER BY subject_id DESC, content DESC LIMIT 1`;

/** What stretches are measured by. */
export const ROWS =
  'SELECT (SELECT count(*) FROM credit_bucket)::float8 + (SELECT count(*) FROM score_evidence) AS rows';

/**
 * The buckets of the stretch that were closed before $5 and are not archived: `closed`; and those of them whose entries and
 * runs come to what they say, with what the carry has to say: `sound`. A run is reserved within its bucket's period and the
 * minute after, so that an index finds a bucket's runs among all of its account. Entries that change no total stay.
 */
const buckets = (lock: string) => `
closed AS MATERIALIZED (SELECT b.* FROM credit_bucket b
  WHERE (b.account_id, b.id) > ($1::uuid, $2::bigint) AND (b.account_id, b.id) <= ($3::uuid, $4::bigint)
    AND b.archived_at IS NULL AND b.valid_to < $5::timestamptz
  ORDER BY b.account_id, b.prio, b.valid_to, b.id ${lock}),
sound AS MATERIALIZED (SELECT b.account_id, b.id, b.total, b.used, given.entries FROM closed b
  CROSS JOIN LATERAL (SELECT coalesce(sum(d_total), 0) AS total, coalesce(sum(d_used), 0) AS used, coalesce(sum(d_held), 0) AS held,
      jsonb_agg(to_jsonb(e) - '{account_id,bucket_id}'::text[] ORDER BY at, kind, d_total, note) AS entries
    FROM bucket_entry e WHERE e.account_id = b.account_id AND e.bucket_id = b.id AND e.d_total <> 0) given
  CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS used FROM (VALUES ${OPERATION_NAMES}) each (operation)
    JOIN ended_run r ON ${isOfKind('r', 'b.account_id', 'each.operation', "'settled'")}
    WHERE r.bucket_id = b.id AND r.created_at >= b.valid_from AND r.created_at < b.valid_to + interval '1 minute') spent
  WHERE (b.total, b.used, b.held) = (given.total, given.used + spent.used, given.held) AND b.held = 0
    AND NOT EXISTS (SELECT FROM open_run o WHERE o.bucket_id = b.id AND o.account_id = b.account_id))`;

const FOUND_BUCKETS = `SELECT (SELECT count(*) FROM closed)::int AS closed, (SELECT count(*) FROM sound)::int AS archived`;

/** What `ARCHIVE_BUCKETS` would do. */
export const COUNT_BUCKETS = `WITH ${buckets('')} ${FOUND_BUCKETS}`;

/**
 * One statement, so that it is done or not: what it deletes stands in the carry, which a trigger looks at after it. A bucket
 * that somebody else archived meanwhile is no longer `closed` once its lock is had; the sums are those of one moment.
 */
export const ARCHIVE_BUCKETS = `WITH ${buckets('FOR NO KEY UPDATE')},
gone AS (DELETE FROM bucket_entry e USING sound s
  WHERE e.account_id = s.account_id AND e.bucket_id = s.id AND e.d_total <> 0),
carry AS (INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total, d_used, note)
  SELECT account_id, id, 'carry', total, used, coalesce(entries, '[]')::text FROM sound),
done AS (UPDATE credit_bucket b SET archived_at = ledger_now() FROM sound s WHERE b.account_id = s.account_id AND b.id = s.id)
${FOUND_BUCKETS}`;

/** Beyond so many a part would be large to read for one of them. */
const MOST_TOGETHER = 64;
/** One alone is no smaller apart. */
const LEAST_TOGETHER = 2;

/**
 * The contents of the stretch that are large, that no score since $5 has and no current one, together with others of their
 * subject: `old`, each with the part it goes to.
 */
const contents = (lock: string) => `
fresh AS MATERIALIZED (
  SELECT subject_id, content FROM score_version WHERE subject_id >= $1::uuid AND subject_id <= $3::uuid AND version >= $5::timestamptz
  UNION
  SELECT v.subject_id, v.content FROM subject s JOIN score_version v ON v.subject_id = s.id AND v.version = s.current_version
  WHERE s.id >= $1::uuid AND s.id <= $3::uuid),
large AS MATERIALIZED (SELECT e.subject_id, e.content, e.inputs, e.contributions, e.caps FROM score_evidence e
  WHERE (e.subject_id, e.content) > ($1::uuid, $2::uuid) AND (e.subject_id, e.content) <= ($3::uuid, $4::uuid)
    AND e.archived_in IS NULL AND (e.inputs, e.contributions, e.caps) <> ('{}'::jsonb, '[]'::jsonb, '[]'::jsonb)
    AND NOT EXISTS (SELECT FROM fresh f WHERE f.subject_id = e.subject_id AND f.content = e.content)
  ${lock}),
old AS MATERIALIZED (SELECT * FROM (SELECT l.*, count(*) OVER (PARTITION BY l.subject_id) AS together,
      coalesce((SELECT max(a.part) FROM score_archive a WHERE a.subject_id = l.subject_id), 0) + 1
        + ((row_number() OVER (PARTITION BY l.subject_id ORDER BY l.content) - 1) / ${MOST_TOGETHER})::int AS part
    FROM large l) l WHERE together >= ${LEAST_TOGETHER})`;

const FOUND_CONTENTS = 'SELECT count(*)::int AS archived FROM old';

/** What `ARCHIVE_CONTENTS` would do. */
export const COUNT_CONTENTS = `WITH ${contents('')} ${FOUND_CONTENTS}`;

/**
 * One statement, after which a trigger looks whether each part has what its contents had. A score that comes to one of them
 * again meanwhile, or later, is read from there: nothing is ever missing.
 */
export const ARCHIVE_CONTENTS = `WITH ${contents('FOR NO KEY UPDATE')},
made AS (INSERT INTO score_archive (subject_id, part, details)
  SELECT subject_id, part, jsonb_object_agg(content, jsonb_build_object('inputs', inputs, 'contributions', contributions, 'caps', caps))
  FROM old GROUP BY subject_id, part),
done AS (UPDATE score_evidence e SET inputs = '{}', contributions = '[]', caps = '[]', archived_in = old.part FROM old
  WHERE e.subject_id = old.subject_id AND e.content = old.content)
${FOUND_CONTENTS}`;
