import type { Connection } from '../../platform/database/connect.ts';
import {
  countBySource,
  countRecords,
  findNamedPackages,
  findStoredAdvisories,
  lockAdvisories,
  type StoredAdvisory,
  upsertDisputes,
  upsertReadings,
  writeAdvisories,
} from './advisory.queries.ts';
import type { AffectedVersions } from './affected-versions.ts';
import type { Ecosystem, PackageName } from './ecosystems.ts';

/** Advisory as it was read from a record, without the packages that it affects. */
export interface AdvisoryFields {
  /** Id of the record, such as `MAL-2025-47604`. */
  readonly id: string;
  /** Database that published the record. */
  readonly source: string;
  /** Address of the advisory; null if the record has none. */
  readonly url: string | null;
  /** Ids of records of other sources about the same vulnerability or malware. */
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Severity as a word; null if the record has none. */
  readonly severity: string | null;
  /** Vector of the Common Vulnerability Scoring System. */
  readonly cvss: string | null;
  /** Kind of problem, such as `vulnerability`, `malware` or `research_poc`. */
  readonly category: string;
  /** True if the record says that the vulnerability or malware is disputed. */
  readonly disputed: boolean;
}

/** Advisory of one record, with everything that is stored of it. Times are ISO 8601. */
export interface AdvisoryRow extends AdvisoryFields {
  readonly details: string;
  readonly publishedAt: string | null;
  readonly modifiedAt: string;
  /** Time at which the source withdrew the record; null if it is in force. */
  readonly withdrawnAt: string | null;
  /**
   * Problem that did not prevent reading the record, such as a field that violates the OSV schema; null if there is
   * none.
   */
  readonly problem: string | null;
  /** SHA-256 of all other fields of the row. */
  readonly contentHash: string;
  readonly packages: readonly AffectedPackage[];
}

/** A package of an advisory, with its affected versions. */
export interface AffectedPackage extends PackageName, AffectedVersions {
  /** Affected versions that the record itself marks as disputed. */
  readonly disputedVersions: readonly string[];
}

/** Statement, for example by a maintainer, that versions named by an advisory are not affected. */
export interface AdvisoryDispute extends PackageName {
  /** Id of the disputed record. */
  readonly advisoryId: string;
  readonly versions: readonly string[];
  readonly reason: string;
  /** Web address of the statement. */
  readonly url: string;
  /** Times in ISO 8601. A dispute counts while `withdrawnAt` is null. A refused dispute is withdrawn, too. */
  readonly statedAt: string;
  readonly withdrawnAt: string | null;
}

/** Reading of a source's records of one ecosystem; `records` is their number. */
export interface AdvisoryReading {
  readonly source: string;
  readonly ecosystem: PackageName['ecosystem'];
  readonly records: number;
  /** Time at which the records were current, ISO 8601. If it is left out, the time of storing counts. */
  readonly readAt?: string;
}

/**
 * Result for one row: `outdated` if the stored record is newer, `foreign` if the row names no package and no earlier
 * state of the record is stored.
 */
export type AdvisoryOutcome = 'added' | 'changed' | 'unchanged' | 'outdated' | 'foreign';

/**
 * Stores a batch of advisories in an open transaction, and returns the result of each. A record replaces a stored one
 * with the same id unless the stored one was modified later; `advisory_history` keeps the replaced state. A withdrawn
 * record stays stored, but no longer affects a package. A row without packages is stored only if it replaces
 * an earlier state, which then no longer affects a package. A second run of the same rows writes nothing.
 */
export async function saveAdvisories(
  connection: Connection,
  rows: readonly AdvisoryRow[],
): Promise<AdvisoryOutcome[]> {
  await lockAdvisories(connection);
  const stored = await findStoredAdvisories(
    connection,
    rows.map(({ id }) => id),
  );
  const current = new Map<string, Pick<StoredAdvisory, 'modifiedMs' | 'contentHash'>>(
    stored.map((each) => [each.id, each]),
  );
  const winners = new Map<string, AdvisoryRow>();
  const outcomes = rows.map((row): AdvisoryOutcome => {
    const before = current.get(row.id);
    if (before === undefined && row.packages.length === 0) return 'foreign';
    if (before?.contentHash === row.contentHash) return 'unchanged';
    const modifiedMs = Date.parse(row.modifiedAt);
    if (before && before.modifiedMs > modifiedMs) return 'outdated';
    current.set(row.id, { modifiedMs, contentHash: row.contentHash });
    winners.set(row.id, row);
    return before ? 'changed' : 'added';
  });
  const known = new Set(stored.map(({ id }) => id));
  await writeAdvisories(connection, [...winners.values()], known);
  return outcomes;
}

/**
 * Stores advisories as `saveAdvisories` does. Returns the packages that the records name or named before, which must be
 * judged again; none if no record changed.
 */
export async function saveChangedAdvisories(
  connection: Connection,
  rows: readonly AdvisoryRow[],
): Promise<PackageName[]> {
  if (rows.length === 0) return [];
  const named = await findNamedPackages(
    connection,
    rows.map(({ id }) => id),
  );
  const outcomes = await saveAdvisories(connection, rows);
  const isSaved = (outcome: AdvisoryOutcome | undefined) => outcome === 'added' || outcome === 'changed';
  const saved = rows.filter((_, index) => isSaved(outcomes[index]));
  return saved.length === 0 ? [] : [...named, ...saved.flatMap(({ packages }) => packages)];
}

/** Entry of a database's index: a record, and when the database last changed it. */
interface IndexedRecord {
  readonly id: string;
  readonly modifiedMs: number;
}

/**
 * Returns the ids of the records that are not stored, or of which only an earlier state is stored; with `isStored`,
 * only the latter.
 */
export async function findNewer(
  connection: Connection,
  records: readonly IndexedRecord[],
  { isStored = false } = {},
): Promise<Set<string>> {
  const newer = new Set(isStored ? [] : records.map(({ id }) => id));
  for (let first = 0; first < records.length; first += MAX_IDS) {
    const some = new Map(records.slice(first, first + MAX_IDS).map((each) => [each.id, each.modifiedMs]));
    for (const { id, modifiedMs } of await findStoredAdvisories(connection, [...some.keys()])) {
      if (modifiedMs >= (some.get(id) ?? 0)) newer.delete(id);
      else newer.add(id);
    }
  }
  return newer;
}

/** Maximum ids per statement. */
const MAX_IDS = 10_000;

/**
 * Stores when whole advisory databases were read. While a reading is current, a package of the ecosystem without an
 * advisory counts as not affected.
 */
export async function saveReadings(
  connection: Connection,
  readings: readonly AdvisoryReading[],
): Promise<void> {
  if (readings.length > 0) await upsertReadings(connection, readings);
}

/** Counts the stored records that name packages of an ecosystem. */
export function countAdvisories(connection: Connection, ecosystem: Ecosystem): Promise<number> {
  return countRecords(connection, ecosystem);
}

/** Counts the stored records with these ids by database (source) and ecosystem. */
export function databasesOf(connection: Connection, ids: readonly string[]): Promise<AdvisoryReading[]> {
  return countBySource(connection, ids);
}

/**
 * Stores disputes of versions. A dispute may be stored before the record that it disputes. A later dispute at the same
 * address replaces an earlier one. Returns the number of disputes that are new or changed.
 */
export async function saveDisputes(
  connection: Connection,
  disputes: readonly AdvisoryDispute[],
): Promise<number> {
  // One SQL statement cannot write the same row twice, so only the latest dispute at an address is written.
  const latestLast = disputes.toSorted((one, other) => changedAt(one) - changedAt(other));
  const byAddress = new Map(
    latestLast.map((each) => [`${each.advisoryId} ${each.ecosystem} ${each.name} ${each.url}`, each]),
  );
  return byAddress.size === 0 ? 0 : upsertDisputes(connection, [...byAddress.values()]);
}

/** Returns the time at which a dispute was stated or, if that was later, withdrawn; in milliseconds. */
function changedAt({ statedAt, withdrawnAt }: AdvisoryDispute): number {
  return Math.max(Date.parse(statedAt), withdrawnAt === null ? 0 : Date.parse(withdrawnAt));
}
