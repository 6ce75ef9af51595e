import {
  columnsOf,
  EVIDENCE_COLUMNS,
  evidenceIsNew,
  insertEvidence,
} from '../../scoring/scores/score-evidence.fragment.ts';

/** Reads a score's large columns from the batch `c`; they are needed only if the evidence is new, which is rare. */
const NEW_EVIDENCE = `(SELECT u.subject_id, ${columnsOf('c', EVIDENCE_COLUMNS)} FROM unstored u JOIN c ON c.n = u.n)`;

/**
 * Offset that gives each run of a batch a distinct time: the clock may return the same value for several rows of a
 * statement, and the runs of a bucket are ordered by time.
 */
export const AFTER_EARLIER_RUNS = "n * interval '1 microsecond'";

/**
 * Stores the scores of the runs `o` and makes them the current ones of their subjects. `o` has each run's position
 * `n` in the batch and `RANKED_COLUMNS`. The result `m` adds `version`, the version of the score; `at`, a time after
 * all locks were acquired; and `used_after`, the bucket's used amount after the run's charge. The runs of a bucket
 * are charged in batch order, which is also the order of `at`. The rows of `m` carry all columns that later steps
 * store: a join of `m` with `o` would compare each row with each. Several runs of one subject get versions that
 * differ by a microsecond, and the last one becomes the current one. Locks subjects by id, then their rows in the
 * ranking. A run whose subject does not exist gets no version, and a CHECK of the ended runs rejects it.
 */
export const RECORDED_SCORES = `
s AS (UPDATE subject SET current_version = greatest(ledger_now(), current_version + interval '1 microsecond')
    + (scored.runs - 1) * interval '1 microsecond'
  FROM (SELECT subject_id, subject_type, count(*) AS runs FROM o GROUP BY subject_id, subject_type
    ORDER BY subject_id, subject_type) scored
  WHERE subject.id = scored.subject_id AND subject.type = scored.subject_type
  RETURNING subject.id, subject.current_version, scored.runs),
m AS MATERIALIZED (SELECT ordered.*, ledger_now() + ${AFTER_EARLIER_RUNS} AS at
  FROM (SELECT o.*, o.used_before + sum(o.amount) OVER (PARTITION BY o.account_id, o.bucket_id ORDER BY o.n) AS used_after,
      s.current_version - (s.runs - row_number() OVER (PARTITION BY s.id ORDER BY o.n)) * interval '1 microsecond' AS version
    FROM o LEFT JOIN s ON s.id = o.subject_id ORDER BY o.n OFFSET 0) ordered),
unstored AS MATERIALIZED (SELECT m.n, m.subject_id FROM m WHERE ${evidenceIsNew('m')}),
x AS (${insertEvidence(NEW_EVIDENCE, 'true')}),
v AS (INSERT INTO score_version (subject_id, version, content, ledger_id, fresh_at)
  SELECT subject_id, version, content, ledger_id, fresh_at FROM m),
l AS (UPDATE listing_rank SET trust = last.trust, confidence = last.confidence, tier = last.tier, score_version = last.version,
    verdict = last.verdict, reasons = last.reasons
  FROM (SELECT DISTINCT ON (subject_id) subject_id, version, trust, confidence, tier, verdict, reasons FROM m
    ORDER BY subject_id, version DESC) last
  WHERE listing_rank.subject_id = last.subject_id)`;
