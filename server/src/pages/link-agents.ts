import type { Connection } from '../database/connect.ts';
import type { AgentRecord } from '../directory/agent-record.ts';
import { loadPublicPaths } from '../subjects/load-public-paths.ts';
import type { Naming } from '../subjects/naming.ts';
import type { ListedAgent } from './page-data.ts';

/** Entries of a list with the addresses of their pages and their creators' pages, and the bound below each trust. */
export async function linkAgents(
  connection: Connection,
  records: readonly AgentRecord[],
  naming: Naming,
): Promise<ListedAgent[]> {
  const subjects = records.flatMap((record) => [toSubject(record), creatorOf(record)]);
  const paths = await loadPublicPaths(connection, subjects, naming);
  const bounds = await loadLowerBounds(connection, records);
  return records.map((record) => ({
    record,
    path: paths.get(record.subjectId) ?? '/',
    creator: {
      path: paths.get(record.creatorId) ?? '/',
      text: record.creatorDisplayName ?? record.creatorHandle,
    },
    lowerBound: bounds.get(record.subjectId) ?? null,
  }));
}

/** A listing as a subject that has a page. */
export function toSubject({ subjectId, type }: AgentRecord) {
  return { id: subjectId, type };
}

/** A listing's creator as a subject that has a page. */
export function creatorOf({ creatorId }: AgentRecord) {
  return { id: creatorId, type: 'creator' as const };
}

/** Of the very versions that the records show, whatever was scored since they were read. */
async function loadLowerBounds(
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
