import { createHash } from 'node:crypto';
import type { AcceptedScore } from './accept-score.ts';
import { type VerdictState, verdictOf } from './verdict/verdict.ts';

/** The columns by which a score goes into SQL: `content` names its evidence, `fresh_at` is null where that says it. */
export type ScoreRow = Omit<AcceptedScore['record'], 'freshness'> & {
  content: string;
  freshness: string | null;
  fresh_at: string | null;
  verdict: VerdictState;
  reasons: readonly string[];
};

/** Half of a SHA-256, as a UUID: no longer than it must be, since every version names it. */
const CONTENT_BYTES = 16;

/**
 * A score with the name of its content: of everything in it but the moment that it was asked in. Scores of the same facts
 * have one content until time alone moves a figure.
 */
export function scoreRow({ subjectType, record }: AcceptedScore): ScoreRow {
  const { now, facts } = record.inputs;
  const isOfThisMoment = record.freshness === now;
  const row = {
    ...record,
    freshness: isOfThisMoment ? null : record.freshness,
    fresh_at: isOfThisMoment ? now : null,
  };
  const { inputs: _moment, fresh_at: _fresh, ...kept } = row;
  // Each part is built by our own code, in one order.
  const hash = createHash('sha256').update(JSON.stringify([subjectType, facts, kept]));
  // No part of the content: it follows from it.
  const { state, reasons } = verdictOf({ ...record, facts });
  return { ...row, content: hash.digest().toString('hex', 0, CONTENT_BYTES), verdict: state, reasons };
}

/** The columns of a row of `score_evidence` but its subject. */
export const EVIDENCE_COLUMNS = `subject_type text, trust float8, confidence float8, lower_bound float8, tier text, status text,
    own_trust float8, own_confidence float8, coverage float8, source text, method_version text, freshness timestamptz,
    inputs_hash text, inputs jsonb, contributions jsonb, caps jsonb, content uuid`;

/** The columns of a `ScoreRow` in a batch. */
export const SCORE_COLUMNS = `${EVIDENCE_COLUMNS}, fresh_at timestamptz, verdict text, reasons text[]`;

/**
 * Stores the evidence that is new, of rows named `rows` that have these columns and `subject_id`, each once. Whoever runs
 * it holds the subjects' rows, so nobody else writes of them; the conflict is one that this statement's snapshot is too
 * old to see.
 */
export function insertEvidence(rows: string): string {
  return `INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status,
    own_trust, own_confidence, coverage, source, method_version, freshness, inputs_hash, inputs, contributions, caps)
  SELECT DISTINCT ON (e.subject_id, e.content) e.subject_id, e.content, e.subject_type, e.trust, e.confidence, e.lower_bound,
    e.tier, e.status, e.own_trust, e.own_confidence, e.coverage, e.source, e.method_version, e.freshness, e.inputs_hash,
    e.inputs, e.contributions, e.caps
  FROM ${rows} e WHERE NOT EXISTS (SELECT FROM score_evidence k WHERE k.subject_id = e.subject_id AND k.content = e.content)
  ORDER BY e.subject_id, e.content
  ON CONFLICT (subject_id, content) DO NOTHING`;
}
