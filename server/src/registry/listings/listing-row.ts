/** The two types that a repository, or a thing inside one, is listed as. */
export type ListedType = 'agent' | 'skill';

/** The category slugs that a listing may have. */
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

/** A row of an import as JSON: stored whole, so that the next import can tell whether it says anything new. */
export type ImportedRow = Readonly<Record<string, unknown>>;

/** One listed repository as a source states it. What the source does not say is null; moments are ISO 8601. */
export interface ListingRow {
  host: string;
  /** `owner/name`. */
  repository: string;
  type: ListedType;
  kind: string;
  name: string;
  description: string;
  category: Category;
  tags: readonly string[];
  repositoryUrl: string;
  /** The host's own id of the repository: it stays the same through renames. */
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
  /** The newest name of what is very likely the same repository. */
  probablyRenamedTo: string | null;
  source: string;
  /** The row itself; null for a registration. */
  imported: ImportedRow | null;
}

/**
 * Why a row was not stored, for programs: its line could not be read, its kind not be told, a field is wrong, an earlier line
 * is about the same, what it names is not listed, what is stored says otherwise, or the operator has taken it out.
 */
export type RejectCode =
  | 'unreadable'
  | 'unknown_kind'
  | 'invalid'
  | 'repeated'
  | 'not_listed'
  | 'conflict'
  | 'delisted';

/** Why a row was not stored, for programs and for a person. */
export interface Rejection {
  readonly code: RejectCode;
  readonly reason: string;
}

/** What became of one row of a batch: a word, or why it was not stored. */
export type RowOutcome = 'added' | 'changed' | 'unchanged' | Rejection;

/** What a batch did: one outcome per row, in order, and the subjects whose facts it changed. */
export interface SavedBatch {
  readonly outcomes: readonly RowOutcome[];
  /** Subjects of this batch's own rows: to be scored with it. */
  readonly saved: readonly string[];
  /** Other subjects whose own facts are no longer those of their last score. */
  readonly due: readonly string[];
  /** Listings whose parent is another one now, or has another score. */
  readonly dueByLineage: readonly string[];
  /** Makes the names lead to the batch's rows, in the same transaction: no score is made from them. */
  readonly giveNames?: () => Promise<void>;
}

/** The account part of `owner/name`. */
export function ownerOf(repository: string): string {
  return repository.slice(0, repository.indexOf('/'));
}

/** A day alone is its beginning in UTC, whatever the database's time zone. */
export function utc(moment: string | null): string | null {
  return moment !== null && moment.length === 10 ? `${moment}T00:00:00Z` : moment;
}
