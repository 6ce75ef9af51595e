import type { Connection } from '../database/connect.ts';
import { copyRows } from '../database/copy-rows.ts';
import { EVIDENCE_COLUMNS } from './score-evidence.condition.ts';

const VERSION_COLUMNS = 'subject_id uuid, version timestamptz, content uuid, fresh_at timestamptz';

/** A score as a row, by the names of its columns. */
export type ScoreEntry = Readonly<Record<string, unknown>> & { readonly subject_id: string };

// An array: one kept statement. A version before this one there is none, so that it need not be later than one.
const BEGIN_VERSIONS = `UPDATE subject SET current_version = ledger_now() WHERE id = ANY ($1::uuid[])
  RETURNING id, utc_text(current_version) AS version`;

// Arrays, for the same reason.
const RANK = `UPDATE listing_rank k SET trust = r.trust, confidence = r.confidence, tier = r.tier, score_version = r.version,
    verdict = r.verdict, reasons = string_to_array(r.reasons, ' ')
  FROM unnest($1::uuid[], $2::timestamptz[], $3::float8[], $4::float8[], $5::text[], $6::text[], $7::text[])
    AS r(id, version, trust, confidence, tier, verdict, reasons)
  WHERE k.subject_id = r.id`;

/**
 * Stores many first scores of subjects by COPY; answers their versions by subject. The caller has locked the subjects and
 * seen that they have no version, so that there is no evidence of them either.
 */
export async function copyFirstScores(
  connection: Connection,
  entries: readonly ScoreEntry[],
): Promise<Map<string, string>> {
  const begun = await connection.query<{ id: string; version: string }>(BEGIN_VERSIONS, [
    entries.map(({ subject_id }) => subject_id),
  ]);
  const versions = new Map(begun.map(({ id, version }) => [id, version]));
  const rows = entries.map((entry) => Object.assign({}, entry, { version: versions.get(entry.subject_id) }));
  await copyRows(connection, 'score_evidence', `subject_id uuid, ${EVIDENCE_COLUMNS}`, rows);
  await copyRows(connection, 'score_version', VERSION_COLUMNS, rows);
  const column = (name: string) => rows.map((row) => (row as ScoreEntry)[name]);
  const reasons = column('reasons').map((codes) => (codes as readonly string[]).join(' '));
  const figures = ['subject_id', 'version', 'trust', 'confidence', 'tier', 'verdict'].map(column);
  await connection.query(RANK, [...figures, reasons]);
  return versions;
}
