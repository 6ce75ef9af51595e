/** The columns of a row of `score_evidence` but its subject. */
export const EVIDENCE_COLUMNS = `subject_type text, trust float8, confidence float8, lower_bound float8, tier text, status text,
    own_trust float8, own_confidence float8, coverage float8, source text, method_version text, freshness timestamptz,
    inputs_hash text, inputs jsonb, contributions jsonb, caps jsonb, content uuid`;

/** The columns of a `ScoreRow` in a batch. */
export const SCORE_COLUMNS = `${EVIDENCE_COLUMNS}, fresh_at timestamptz, verdict text, reasons text[]`;

/**
 * Stores the evidence that is new, of rows named `rows` that have these columns and `subject_id`, each once. The
 * statement around it holds the subjects' rows, so nobody else writes of them; the conflict is one that its snapshot is
 * too old to see.
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
