import { hash } from 'node:crypto';
import { canonicalContributions, canonicalInputs } from '../score-inputs.ts';
import type { VerdictState } from '../verdict/verdict.ts';
import type { AcceptedScore } from './accept-score.ts';

/**
 * Columns of a score as they are written to the database. `content` is the hash that identifies the evidence. If
 * `freshness` is null, `fresh_at` is the freshness.
 */
export type ScoreRow = Omit<AcceptedScore['record'], 'freshness'> & {
  content: string;
  freshness: string | null;
  fresh_at: string | null;
  verdict: VerdictState;
  reasons: readonly string[];
};

/**
 * Length of a content hash in hexadecimal digits: half of a SHA-256, stored as a UUID. It is short, because every score
 * version stores such a hash.
 */
const CONTENT_DIGITS = 32;

/**
 * Builds the row of a score, including a hash of its content without the time of the request. Later scores of the same
 * facts and names have the same content hash, until a value changes because time has passed.
 */
export function scoreRow({ subjectType, record, verdict }: AcceptedScore): ScoreRow {
  const { now } = record.inputs;
  const isFreshNow = record.freshness === now;
  const freshness = isFreshNow ? null : record.freshness;
  // The verdict follows from the content, so it is not part of the hash.
  return Object.assign({}, record, {
    freshness,
    fresh_at: isFreshNow ? now : null,
    content: contentHash(subjectType, record, freshness),
    verdict: verdict.state,
    reasons: verdict.reasons,
  });
}

/**
 * Hashes a score's content. The signature contains the same serialized inputs and contributions, so a call serializes
 * each of them only once.
 */
function contentHash(subjectType: string, record: AcceptedScore['record'], freshness: string | null): string {
  const figures = [
    subjectType,
    canonicalInputs(record.inputs).hash,
    record.inputs.subject,
    record.trust,
    record.confidence,
    record.lower_bound,
    record.tier,
    record.status,
    record.own_trust,
    record.own_confidence,
    record.coverage,
    record.source,
    record.method_version,
    freshness,
    record.inputs_hash,
    record.caps,
  ];
  const text = JSON.stringify(figures) + canonicalContributions(record.contributions);
  return hash('sha256', text, 'hex').slice(0, CONTENT_DIGITS);
}

/** Columns of `score_evidence` without the subject. */
export const EVIDENCE_COLUMNS = `subject_type text, trust float8, confidence float8, lower_bound float8, tier text, status text,
    own_trust float8, own_confidence float8, coverage float8, source text, method_version text, freshness timestamptz,
    inputs_hash text, inputs jsonb, contributions jsonb, caps jsonb, content uuid, verdict text, reasons text[]`;

/** Columns of a `ScoreRow` in a batch. */
export const SCORE_COLUMNS = `${EVIDENCE_COLUMNS}, fresh_at timestamptz`;

/** Columns of a `ScoreRow` that are needed for every score, even if its evidence is already stored. */
export const RANKED_COLUMNS = 'subject_type, trust, confidence, tier, content, fresh_at, verdict, reasons';

/** Prefixes each column of a list with a row alias, and removes the column's type if the list has types. */
export function columnsOf(row: string, columns: string): string {
  return columns.replaceAll(/(\w+)( [\w[\]]+)?(,|$)/g, `${row}.$1$3`);
}

/** Returns SQL that is true if the evidence of a row is not stored yet. The row has `subject_id` and `content`. */
export function evidenceIsNew(row: string): string {
  return `NOT EXISTS (SELECT FROM score_evidence k WHERE k.subject_id = ${row}.subject_id AND k.content = ${row}.content)`;
}

/**
 * Returns SQL that stores the evidence of rows. Evidence that already exists is not stored again. `rows` is a table
 * name, or a query in parentheses, with `subject_id` and the columns of `EVIDENCE_COLUMNS`. The surrounding statement
 * locks the subjects, so that no other transaction writes their evidence. ON CONFLICT skips rows committed so recently
 * that the statement does not see them.
 */
export function insertEvidence(rows: string, isNew = evidenceIsNew('e')): string {
  return `INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status,
    own_trust, own_confidence, coverage, source, method_version, freshness, inputs_hash, inputs, contributions, caps,
    verdict, reasons)
  SELECT DISTINCT ON (e.subject_id, e.content) e.subject_id, e.content, e.subject_type, e.trust, e.confidence, e.lower_bound,
    e.tier, e.status, e.own_trust, e.own_confidence, e.coverage, e.source, e.method_version, e.freshness, e.inputs_hash,
    e.inputs, e.contributions, e.caps, e.verdict, e.reasons
  FROM ${rows} e WHERE ${isNew}
  ORDER BY e.subject_id, e.content
  ON CONFLICT (subject_id, content) DO NOTHING`;
}
