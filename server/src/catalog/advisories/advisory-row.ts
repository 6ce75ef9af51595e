import type { AffectedVersions } from './affected-versions.ts';
import type { PackageName } from './ecosystems.ts';

/** Advisory as it was read from a record, without the packages that it affects. */
export interface AdvisoryFields {
  /** Id of the record, such as `MAL-2025-47604`. */
  readonly id: string;
  /** Database that published the record. */
  readonly source: string;
  /** Address of the advisory; null if the record has none. */
  readonly url: string | null;
  /** Ids of records of other sources about the same fault. */
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Severity as a word; null if the record has none. */
  readonly severity: string | null;
  /** Vector of the Common Vulnerability Scoring System. */
  readonly cvss: string | null;
  /** Kind of fault, such as `vulnerability`, `malware` or `research_poc`. */
  readonly category: string;
  /** True if the record says that the fault is disputed. */
  readonly disputed: boolean;
}

/** Advisory of one record, with everything that is stored of it. Times are ISO 8601. */
export interface AdvisoryRow extends AdvisoryFields {
  readonly details: string;
  readonly publishedAt: string | null;
  readonly modifiedAt: string;
  /** Time at which the source withdrew the record; null if it is in force. */
  readonly withdrawnAt: string | null;
  /** Reason why the record is not as published records should be, although it could be read; null without one. */
  readonly problem: string | null;
  /** SHA-256 of everything above and below. */
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
  /** Times in ISO 8601. A withdrawn dispute, for example one that was refused, no longer counts. */
  readonly statedAt: string;
  readonly withdrawnAt: string | null;
}

/** Reading of a source's records of one ecosystem. */
export interface AdvisoryReading {
  readonly source: string;
  readonly ecosystem: PackageName['ecosystem'];
  readonly records: number;
  /** Time at which its records were current, ISO 8601; the time of storing if it is left out. */
  readonly readAt?: string;
}
