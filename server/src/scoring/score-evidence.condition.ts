/** The columns of a row of `score_evidence` but its subject. */
export const EVIDENCE_COLUMNS = `subject_type text, trust float8, confidence float8, lower_bound float8, tier text, status text,
    own_trust float8, own_confidence float8, coverage float8, source text, method_version text, freshness timestamptz,
    inputs_hash text, inputs jsonb, contributions jsonb, caps jsonb, content uuid`;

/** The columns of a `ScoreRow` in a batch. */
export const SCORE_COLUMNS = `${EVIDENCE_COLUMNS}, fresh_at timestamptz, verdict text, reasons text[]`;

/** Of those, the ones that are stored with each score, whether its evidence is new or not. */
export const RANKED_COLUMNS = 'subject_type, trust, confidence, tier, content, fresh_at, verdict, reasons';

/** Such columns, with their types or without, of a row that has this name. */
export function columnsOf(row: string, columns: string): string {
  return columns.replaceAll(/(\w+)( [\w[\]]+)?(,|$)/g, `${row}.$1$3`);
}

/** Whether the evidence of a row of this name, with `subject_id` and `content`, is new. */
export function evidenceIsNew(row: string): string {
  return `NOT EXISTS (SELECT FROM score_evidence k WHERE k.subject_id = ${row}.subject_id AND k.content = ${row}.content)`;
}

/**
 * Stores the evidence of rows (a name, or a question in brackets) that have these columns and `subject_id`, each once, where
 * it is new. The statement around it holds the subjects' rows, so nobody else writes of them; the conflict is one that its
 * snapshot is too old to see.
 */
export function insertEvidence(rows: string, isNew = evidenceIsNew('e')): string {
  return `INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status,
    own_trust, own_confidence, coverage, source, method_version, freshness, inputs_hash, inputs, contributions, caps)
  SELECT DISTINCT ON (e.subject_id, e.content) e.subject_id, e.content, e.subject_type, e.trust, e.confidence, e.lower_bound,
    e.tier, e.status, e.own_trust, e.own_confidence, e.coverage, e.source, e.method_version, e.freshness, e.inputs_hash,
    e.inputs, e.contributions, e.caps
  FROM ${rows} e WHERE ${isNew}
  ORDER BY e.subject_id, e.content
  ON CONFLICT (subject_id, content) DO NOTHING`;
}
