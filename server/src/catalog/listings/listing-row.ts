/** Types that a repository, or an artifact inside one, can be listed as. */
export type ListedType = 'agent' | 'skill';

/** Category slugs of listings. */
export const CATEGORIES = [
  'coding',
  'research',
  'productivity',
  'data',
  'automation',
  'creative',
  'infrastructure',
  'communication',
  'other',
] as const;

/** One of the nine category slugs. */
export type Category = (typeof CATEGORIES)[number];

/** A row of an import as JSON. It is stored whole, so that the next import can detect changes. */
export type ImportedRow = Readonly<Record<string, unknown>>;

/** A listed repository as a source states it. Unstated values are null; dates are ISO 8601. */
export interface ListingRow {
  host: string;
  /** Repository in the form `owner/name`. */
  repository: string;
  type: ListedType;
  kind: string;
  name: string;
  description: string;
  category: Category;
  tags: readonly string[];
  repositoryUrl: string;
  /** The host's repository id, which survives renames. */
  hostRepositoryId: string | null;
  homepage: string | null;
  license: string | null;
  stars: number | null;
  forks: number | null;
  openIssues: number | null;
  lastCommitAt: string | null;
  repositoryCreatedAt: string | null;
  metricsObservedAt: string | null;
  npmPackage: string | null;
  npmMonthlyDownloads: number | null;
  pypiPackage: string | null;
  formerRepositories: readonly string[];
  parentRepository: string | null;
  parentRelation: string | null;
  /** Name of another repository that is probably this one under a newer name. */
  probablyRenamedTo: string | null;
  source: string;
  /** The imported row; null for a registration. */
  imported: ImportedRow | null;
}

/** A stored listing that matches a row. */
export interface StoredListing {
  id: string;
  type: ListedType;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
  creatorId: string;
  /** `host:handle` of the listing's creator, with the handle in lower case. */
  creatorKey: string;
  npmPackage: string | null;
  pypiPackage: string | null;
  /** The last stored row; null if it equals the new one, or if the listing was registered and never imported. */
  imported: ImportedRow | null;
  /** True if the new row equals the last stored one and need not be stored again. */
  unchanged: boolean;
}

/** A row that was just stored, with the listing as it was before; `before` is null for a new listing. */
export interface SavedListing {
  id: string;
  row: ListingRow;
  before: StoredListing | null;
  /** Listing of another repository that had this row's name until now; null if there is none. */
  displaced: StoredListing | null;
}

/**
 * Machine-readable reason for rejecting a row, checked in this order: unreadable line, unknown kind, invalid field,
 * repeated subject, repository not listed, conflict with stored data, removed by the operator. `missing` is for files
 * of advisories that are absent, or older than the index says.
 */
export type RejectCode =
  | 'unreadable'
  | 'unknown_kind'
  | 'invalid'
  | 'repeated'
  | 'not_listed'
  | 'conflict'
  | 'delisted'
  | 'missing';

/** Machine-readable code and text for a rejected row. */
export interface Rejection {
  readonly code: RejectCode;
  readonly reason: string;
}

/** Result of storing one row of a batch. */
export type RowOutcome = 'added' | 'changed' | 'unchanged' | Rejection;

/** Result of storing a batch: one outcome per row, in order, and the subjects with changed facts. */
export interface SavedBatch {
  readonly outcomes: readonly RowOutcome[];
  /** Subjects that the batch itself stored, to be scored with the batch. */
  readonly saved: readonly string[];
  /** Other subjects with changed facts, to be scored again. */
  readonly due: readonly string[];
  /**
   * Subjects to be scored again although their own facts are unchanged: listings that got or lost a parent, or whose
   * parent was updated.
   */
  readonly dueByLineage: readonly string[];
  /**
   * Function that stores the aliases of the batch; call it in the same transaction. The aliases are stored later than
   * the rows, because scores do not depend on aliases.
   */
  readonly storeAliases?: () => Promise<void>;
  /** Renames that the rows state. If another listing still has a former name, `mergeRenamed` may merge the two. */
  readonly statedRenames?: readonly StatedRename[];
}

/** A rename that a source states: the former name of a repository, and the listing of its new name. */
export interface StatedRename {
  formerName: string;
  id: string;
}

/** Returns the owner of `owner/name`. */
export function ownerOf(repository: string): string {
  return repository.slice(0, repository.indexOf('/'));
}

/** Converts a bare date to midnight UTC, independent of the database's time zone. */
export function utc(moment: string | null): string | null {
  return moment !== null && moment.length === 10 ? `${moment}T00:00:00Z` : moment;
}
