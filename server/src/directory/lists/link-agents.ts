import type { Connection } from '../../database/connect.ts';
import { type ListingMarks, loadListingMarks } from '../../registry/relations/listing-marks.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { PageLink } from '../../subjects/page-link.ts';
import type { AgentRecord } from '../agent-record.ts';
import { loadBeside } from './beside.repository.ts';

/** That an entry is the old name or a copy of another one, by what a source says or by what was inferred. */
export interface EntryMark {
  kind: 'old name' | 'copy';
  stated: boolean;
  of: PageLink;
}

/** An entry of a list with the links that it needs. */
export interface ListedAgent {
  record: AgentRecord;
  path: string;
  creator: PageLink;
  /** Of the confirmed score; null without one. */
  lowerBound: number | null;
  /** When the figures of its repository were read; null where its source gives no moment. */
  figuresAt: string | null;
  /** The moment as of which ages are told. */
  readAt: string;
  /** Null for most. */
  mark: EntryMark | null;
}

/** Entries of a list with the addresses of their pages and their creators' pages, the bound below each trust, the moment, and marks. */
export async function linkAgents(
  connection: Connection,
  records: readonly AgentRecord[],
  naming: Naming,
): Promise<ListedAgent[]> {
  const marks = await loadListingMarks(
    connection,
    records.map(({ subjectId }) => subjectId),
  );
  const others = [...marks.values()].flatMap((each) => originalOf(each) ?? []);
  const subjects = [...records.flatMap((record) => [toSubject(record), creatorOf(record)]), ...others];
  const paths = await loadPublicPaths(connection, subjects, naming);
  const { bounds, figuresAt, readAt } = await loadBeside(connection, records);
  return records.map((record) => ({
    record,
    path: paths.get(record.subjectId) ?? '/',
    creator: {
      path: paths.get(record.creatorId) ?? '/',
      text: record.creatorDisplayName ?? record.creatorHandle,
    },
    lowerBound: bounds.get(record.subjectId) ?? null,
    figuresAt: figuresAt.get(record.subjectId) ?? null,
    readAt,
    mark: toMark(marks.get(record.subjectId), paths),
  }));
}

/** Of an old name the newest, of a copy the original. */
function originalOf({ newer, copyOf }: ListingMarks) {
  return newer ?? copyOf;
}

function toMark(marks: ListingMarks | undefined, paths: ReadonlyMap<string, string>): EntryMark | null {
  const original = marks && originalOf(marks);
  if (!original) return null;
  const { id, repository, stated } = original;
  const of = { path: paths.get(id) ?? '/', text: repository };
  return { kind: marks.newer === original ? 'old name' : 'copy', stated, of };
}

/** A listing as a subject that has a page. */
export function toSubject({ subjectId, type }: AgentRecord) {
  return { id: subjectId, type };
}

/** A listing's creator as a subject that has a page. */
export function creatorOf({ creatorId }: AgentRecord) {
  return { id: creatorId, type: 'creator' as const };
}
