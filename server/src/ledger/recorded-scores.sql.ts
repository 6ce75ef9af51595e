import {
  columnsOf,
  EVIDENCE_COLUMNS,
  evidenceIsNew,
  insertEvidence,
} from '../scoring/score-evidence.condition.ts';

/** The batch `c` has the large parts of a score, which are of use only where its evidence is new: seldom. */
const NEW_EVIDENCE = `(SELECT u.subject_id, ${columnsOf('c', EVIDENCE_COLUMNS)} FROM unstored u JOIN c ON c.n = u.n)`;

/**
 * Moves the time of a run of `m` past the runs before it: within a statement the clock may stand still for several rows, and
 * the runs of a bucket must differ in time to have an order.
 */
export const AFTER_EARLIER_RUNS = "n * interval '1 microsecond'";

/**
 * Records the scores of the runs `o` (with their place `n` in the batch and `RANKED_COLUMNS`), and makes them their subjects'
 * current ones: `m` are the runs with the versions of their scores, and `at`, a moment when the buckets and subjects are had.
 * They carry what is stored of each: rows of a statement find each other only by looking at all of them. Several runs of
 * one subject get a version each, a microsecond apart; the last is the subject's. Subjects are locked by their ids, then their
 * rows in the ranking. `used_after` is what a run's bucket has paid once the run is charged: the runs of one bucket are charged in
 * the order of the batch, which is also the order of their times. A run whose subject were not found has no version, which a
 * CHECK of the ended runs refuses.
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
