import { type CreatorIdentity, observedAccountAge, observedAccounts } from './creator-identity.ts';
import type { Metadata, Observed, Parent, RepositoryFacts } from './repository-facts.ts';

/** A listing's or artifact's stored columns, with those of its creator and parent. Moments are ISO 8601 UTC. */
export interface RepositoryRecord {
  verified: boolean;
  description: string;
  tags: readonly string[];
  category: string | null;
  homepage: string | null;
  hasSkillManifest: boolean;
  license: string | null;
  stars: number | null;
  forks: number | null;
  openIssues: number | null;
  lastCommitAt: string | null;
  repositoryCreatedAt: string | null;
  archived: boolean | null;
  monthlyDownloads: number | null;
  /** More than one listing names the package, so its downloads speak for none of them. */
  packageIsShared: boolean;
  /** When the metrics were read, and by whom; null without a reading. */
  metricsObservedAt: string | null;
  metricsSource: string;
  /** When the listing, and its own texts, were last confirmed. */
  confirmedAt: string;
  metadataConfirmedAt: string;
  creator: CreatorIdentity;
  parents: readonly Parent[];
}

const REGISTRY = 'registry';

/**
 * What is observed of a subject, when and by whom; the rest is null. Metrics, and facts that came with them without a
 * date of their own, are as old as the reading; without a reading they are as old as the row.
 */
export function factsFromRecord(record: RepositoryRecord): RepositoryFacts {
  const readAt = record.metricsObservedAt ?? record.confirmedAt;
  const measured = <Value>(value: Value | null) => observed(value, readAt, record.metricsSource);
  return {
    verified: observed(record.verified, record.confirmedAt, REGISTRY),
    creatorAccounts: observedAccounts(record.creator, readAt),
    creatorAccountCreatedAt: observedAccountAge(record.creator),
    repositoryCreatedAt: record.repositoryCreatedAt,
    archived: record.archived,
    deprecated: null,
    lastCommitAt: measured(record.lastCommitAt),
    openIssues: measured(record.openIssues),
    stars: measured(record.stars),
    forks: measured(record.forks),
    monthlyDownloads: record.packageIsShared
      ? null
      : observed(record.monthlyDownloads, record.confirmedAt, 'npm'),
    license: measured(record.license?.trim() || null),
    metadata: observed(metadata(record), record.metadataConfirmedAt, REGISTRY),
    parents: record.parents,
  };
}

function observed<Value>(value: Value | null, observedAt: string, source: string): Observed<Value> | null {
  return value === null ? null : { value, observedAt, source };
}

function metadata(record: RepositoryRecord): Metadata {
  return {
    description: record.description.trim() !== '',
    tags: record.tags.length > 0,
    category: record.category !== null,
    homepage: record.homepage !== null,
    skillManifest: record.hasSkillManifest ? true : null,
  };
}
