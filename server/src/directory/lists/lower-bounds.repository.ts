import type { Connection } from '../../database/connect.ts';
import type { AgentRecord } from '../agent-record.ts';

/** By subject, the bound below the trust that a record shows: of that version, whatever was scored since it was read. */
export async function loadLowerBounds(
  connection: Connection,
  records: readonly AgentRecord[],
): Promise<Map<string, number>> {
  const scored = records.filter(({ scoreVersion }) => scoreVersion !== null);
  if (scored.length === 0) return new Map();
  const rows = await connection.query<{ id: string; lowerBound: number }>(
    `SELECT v.subject_id AS id, v.lower_bound AS "lowerBound" FROM score v
     JOIN unnest($1::uuid[], $2::timestamptz[]) AS shown (id, version)
       ON v.subject_id = shown.id AND v.version = shown.version`,
    [scored.map(({ subjectId }) => subjectId), scored.map(({ scoreVersion }) => scoreVersion)],
  );
  return new Map(rows.map(({ id, lowerBound }) => [id, lowerBound]));
}
