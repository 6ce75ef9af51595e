import { type ListingFlags, loadListingFlags } from '../../catalog/relations/listing-flags.ts';
import { loadPublicPaths } from '../../catalog/subjects/load-public-paths.ts';
import type { PageLink, PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { loadEntryDetails } from './entry-details.queries.ts';

/** Flag of an entry that is an older name or a copy of another one, as stated by a source or inferred. */
export interface EntryFlag {
  kind: 'old name' | 'copy';
  stated: boolean;
  of: PageLink;
}

/** A list entry with its links. */
export interface ListedAgent {
  record: AgentRecord;
  path: string;
  creator: PageLink;
  /** Lower bound of the confirmed score; null without one. */
  lowerBound: number | null;
  /** Time when the repository's metrics were read; null if the source gives none. */
  figuresAt: string | null;
  /** Reference time for displayed ages. */
  readAt: string;
  /** Null for most entries, which are neither an older name nor a copy. */
  mark: EntryFlag | null;
}

/**
 * Adds to each record the links to its page and its creator's page, the lower bound of its trust, the reference time
 * and its flag.
 */
export async function linkAgents(
  connection: Connection,
  records: readonly AgentRecord[],
  publicUrls: PublicUrls,
): Promise<ListedAgent[]> {
  const flags = await loadListingFlags(
    connection,
    records.map(({ subjectId }) => subjectId),
  );
  const others = [...flags.values()].flatMap((each) => originalOf(each) ?? []);
  const subjects = [...records.flatMap((record) => [toSubject(record), creatorOf(record)]), ...others];
  const paths = await loadPublicPaths(connection, subjects, publicUrls);
  const { bounds, figuresAt, readAt } = await loadEntryDetails(connection, records);
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
    mark: toFlag(flags.get(record.subjectId), paths),
  }));
}

/** Returns the newest name if this is an older name, or the original if it is a copy. */
function originalOf({ newer, copyOf }: ListingFlags) {
  return newer ?? copyOf;
}

function toFlag(flags: ListingFlags | undefined, paths: ReadonlyMap<string, string>): EntryFlag | null {
  const original = flags && originalOf(flags);
  if (!original) return null;
  const { id, repository, stated } = original;
  const of = { path: paths.get(id) ?? '/', text: repository };
  return { kind: flags.newer === original ? 'old name' : 'copy', stated, of };
}

/** Returns the listing's subject, for loading its path. */
export function toSubject({ subjectId, type }: AgentRecord) {
  return { id: subjectId, type };
}

/** Returns the creator's subject, for loading its path. */
export function creatorOf({ creatorId }: AgentRecord) {
  return { id: creatorId, type: 'creator' as const };
}
