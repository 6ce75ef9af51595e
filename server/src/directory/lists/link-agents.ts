import { type ListingFlags, loadListingFlags } from '../../catalog/relations/listing-flags.ts';
import { loadPublicPaths } from '../../catalog/subjects/load-public-paths.ts';
import type { PageLink, PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { type EntryDetails, loadEntryDetails } from './list-agents.queries.ts';

/**
 * Flag of an entry that is an older name or a copy of another one. `stated` is true if a source states this, false if
 * it is inferred.
 */
export interface EntryFlag {
  kind: 'old name' | 'copy';
  stated: boolean;
  of: PageLink;
}

/** A record with all data that a list shows about it, except the paths of its links. */
export interface ListEntry extends EntryDetails {
  record: AgentRecord;
  /** Null for most entries, which are neither an older name nor a copy. */
  flags: ListingFlags | null;
}

/** A list entry with its links. */
export interface ListedAgent extends EntryDetails {
  record: AgentRecord;
  path: string;
  creator: PageLink;
  /** Null for most entries, which are neither an older name nor a copy. */
  mark: EntryFlag | null;
}

/** Adds to each record the links to its page and to its creator's page, its details (`EntryDetails`), and its flag. */
export async function linkAgents(
  connection: Connection,
  records: readonly AgentRecord[],
  publicUrls: PublicUrls,
): Promise<ListedAgent[]> {
  const ids = records.map(({ subjectId }) => subjectId);
  const [flags, details] = await Promise.all([
    loadListingFlags(connection, ids),
    loadEntryDetails(connection, records),
  ]);
  const entries = records.map((record) => ({
    record,
    ...(details.get(record.subjectId) ?? NO_DETAILS),
    flags: flags.get(record.subjectId) ?? null,
  }));
  const paths = await loadPublicPaths(connection, linkedByEntries(entries), publicUrls);
  return linkEntries(entries, paths);
}

const NO_DETAILS: EntryDetails = { lowerBound: null, figuresAt: null, isOfficial: false, readAt: '' };

/** A subject whose page is linked to. */
export interface LinkedSubject {
  id: string;
  type: SubjectType;
}

/** Returns the subjects to whose pages the entries link. */
export function linkedByEntries(entries: readonly ListEntry[]): LinkedSubject[] {
  return entries.flatMap(({ record, flags }) => [
    toSubject(record),
    creatorOf(record),
    ...[originalOf(flags) ?? []].flat(),
  ]);
}

/** Adds the paths of pages to entries. */
export function linkEntries(
  entries: readonly ListEntry[],
  paths: ReadonlyMap<string, string>,
): ListedAgent[] {
  return entries.map(({ flags, ...entry }) => ({
    ...entry,
    path: paths.get(entry.record.subjectId) ?? '/',
    creator: {
      path: paths.get(entry.record.creatorId) ?? '/',
      text: entry.record.creatorDisplayName ?? entry.record.creatorHandle,
    },
    mark: toFlag(flags, paths),
  }));
}

/** Returns the listing under the newest name if this listing has an older name, or the original if it is a copy. */
function originalOf(flags: ListingFlags | null) {
  return flags?.newer ?? flags?.copyOf ?? null;
}

function toFlag(flags: ListingFlags | null, paths: ReadonlyMap<string, string>): EntryFlag | null {
  const original = originalOf(flags);
  if (!original) return null;
  const { id, repository, stated } = original;
  const of = { path: paths.get(id) ?? '/', text: repository };
  return { kind: flags?.newer ? 'old name' : 'copy', stated, of };
}

/** Returns the listing's subject, for loading its path. */
export function toSubject({ subjectId, type }: AgentRecord) {
  return { id: subjectId, type };
}

/** Returns the creator's subject, for loading its path. */
export function creatorOf({ creatorId }: AgentRecord) {
  return { id: creatorId, type: 'creator' as const };
}
