import type { Connection } from '../../database/connect.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { PageLink } from '../../subjects/page-link.ts';
import type { AgentRecord } from '../agent-record.ts';
import { loadBeside } from './beside.repository.ts';

/** An entry of a list with the links that it needs. */
export interface ListedAgent {
  record: AgentRecord;
  path: string;
  creator: PageLink;
  /** Of the confirmed score; null without one. */
  lowerBound: number | null;
  /** The moment as of which ages are told. */
  readAt: string;
}

/** Entries of a list with the addresses of their pages and their creators' pages, the bound below each trust, and the moment. */
export async function linkAgents(
  connection: Connection,
  records: readonly AgentRecord[],
  naming: Naming,
): Promise<ListedAgent[]> {
  const subjects = records.flatMap((record) => [toSubject(record), creatorOf(record)]);
  const paths = await loadPublicPaths(connection, subjects, naming);
  const { bounds, readAt } = await loadBeside(connection, records);
  return records.map((record) => ({
    record,
    path: paths.get(record.subjectId) ?? '/',
    creator: {
      path: paths.get(record.creatorId) ?? '/',
      text: record.creatorDisplayName ?? record.creatorHandle,
    },
    lowerBound: bounds.get(record.subjectId) ?? null,
    readAt,
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
