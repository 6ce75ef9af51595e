import { insertEvidence, SCORE_COLUMNS } from '../scoring/score-evidence.condition.ts';

/** The columns of a score among those of a batch, of the row that has this name. */
function scoreColumnsOf(row: string): string {
  return SCORE_COLUMNS.replaceAll(/(\w+) [\w[\]]+/g, `${row}.$1`);
}

/**
 * Records the scores of the runs `o`, and makes them their subjects' current ones: `m` are the runs with the versions of their
 * scores. The scores stand in the batch `c`, or in the runs themselves where these carry what their calls brought: rows of a
 * statement find each other only by looking at all of them. Several runs of one subject get a version each, a microsecond
 * apart; the last is the subject's. Subjects are locked by their ids, then their rows in the ranking. A run whose subject were
 * not found has no version, which a CHECK of the ended runs refuses.
 */
export const recordedScores = (scores: 'c' | 'm') => `
s AS (UPDATE subject SET current_version = greatest(ledger_now(), current_version + interval '1 microsecond')
    + (scored.runs - 1) * interval '1 microsecond'
  FROM (SELECT subject_id, subject_type, count(*) AS runs FROM o GROUP BY subject_id, subject_type
    ORDER BY subject_id, subject_type) scored
  WHERE subject.id = scored.subject_id AND subject.type = scored.subject_type
  RETURNING subject.id, subject.current_version, scored.runs),
m AS MATERIALIZED (SELECT o.*, s.current_version
    - (s.runs - row_number() OVER (PARTITION BY s.id ORDER BY o.n)) * interval '1 microsecond' AS version
  FROM o LEFT JOIN s ON s.id = o.subject_id),
scored AS MATERIALIZED (SELECT m.subject_id, m.version, m.ledger_id, ${scoreColumnsOf(scores)}
  FROM m${scores === 'c' ? ' JOIN c ON c.n = m.n' : ''}),
x AS (${insertEvidence('scored')}),
v AS (INSERT INTO score_version (subject_id, version, content, ledger_id, fresh_at)
  SELECT subject_id, version, content, ledger_id, fresh_at FROM scored),
l AS (UPDATE listing_rank SET trust = last.trust, confidence = last.confidence, tier = last.tier, score_version = last.version,
    verdict = last.verdict, reasons = last.reasons
  FROM (SELECT DISTINCT ON (subject_id) * FROM scored ORDER BY subject_id, version DESC) last
  WHERE listing_rank.subject_id = last.subject_id)`;
