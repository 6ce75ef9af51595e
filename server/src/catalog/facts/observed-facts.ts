import type { Connection } from '../../platform/database/connect.ts';
import type { PackageStanding } from '../../scoring/fact-types.ts';
import { deleteFacts, upsertFacts } from './observed-facts.queries.ts';
import { refreshPackageStandings } from './package-standing.ts';

/** Advisory of a package as pages show it. Times are ISO 8601. */
export interface ShownAdvisory {
  id: string;
  source: string;
  url: string | null;
  summary: string;
  category: string;
  severity: string | null;
  affected: readonly string[];
  disputes: readonly { versions: readonly string[]; reason: string; url: string }[];
}

/** Entry of an index of skills. */
interface IndexedSkill {
  name: string;
  digest: string | null;
}

/**
 * Values of the facts that are observed about listed repositories, by the fact's name. Times are ISO 8601 UTC. A field
 * that the source does not show is null, never zero or false. The names are stored, so they must not change.
 */
export interface ObservedFacts {
  /** Latest stable version of the listing's confirmed package, as its registry shows it. */
  published_package: {
    ecosystem: 'npm' | 'pypi';
    name: string;
    version: string;
    releasedAt: string | null;
    /** `lost`: an earlier version had provenance, and this one has none. */
    provenance: 'attested' | 'none' | 'lost' | null;
    deprecated: boolean | null;
    monthlyDownloads: number | null;
  };
  /**
   * Standing of the listing's packages by their advisories: the worst one, with the others that have vulnerabilities or
   * malware.
   */
  package_standing: PackageStanding;
  /**
   * Advisories behind `package_standing`, at most 20, for pages: the worst package first, malware before
   * vulnerabilities.
   */
  package_advisories: {
    advisories: readonly ShownAdvisory[];
    /** Release times of versions with malware, by version, as far as the registry shows them. */
    releasedAt?: Readonly<Record<string, string>>;
  };
  releases: { count: number; latestAt: string | null };
  contributors: { count: number };
  security_policy: { present: boolean };
  owner_account: { kind: 'organisation' | 'user'; createdAt: string | null };
  /** Packages that manifests in the repository name. */
  manifest: { packages: readonly { ecosystem: 'npm' | 'pypi'; name: string; path: string }[] };
  /** OpenSSF Scorecard, 0 to 10. */
  scorecard: { score: number; ranAt: string | null };
  /** Namespace of the MCP registry, proved for the repository's owner, under which the repository is published. */
  official_maker: { namespace: string };
  /** Agent card that a confirmed domain of the owner publishes. */
  agent_card: { name: string; version: string | null; provider: string | null };
  /**
   * First entry about the repository in an agent-skills index of a confirmed domain; `skills` has all entries if there
   * are several.
   */
  skills_index: IndexedSkill & { skills?: readonly IndexedSkill[] };
}

export type ObservedFactName = keyof ObservedFacts;

/** A fact about a subject, with where it was read. */
export type ObservedFact = {
  [Name in ObservedFactName]: {
    subjectId: string;
    fact: Name;
    value: ObservedFacts[Name];
    /** Short name of the source, such as `npm`, `github.com` or `osv`. */
    source: string;
    /** Address that was read. */
    url: string;
    /** SPDX expression of the source's licence; null if it states none. */
    license: string | null;
    /** Time of the observation, ISO 8601; the time of storing if it is left out. */
    observedAt?: string;
  };
}[ObservedFactName];

/**
 * Stores facts. A fact replaces the stored one of the same subject, name and source, even if it was observed earlier.
 * If there are facts `published_package`, the packages of their listings are judged by the stored advisories at once.
 * The caller has locked the subjects. Returns the subjects whose facts or package standing changed in value; they must
 * be scored again.
 */
export async function saveFacts(connection: Connection, facts: readonly ObservedFact[]): Promise<string[]> {
  if (facts.length === 0) return [];
  const changed = await upsertFacts(connection, facts);
  const published = facts.filter(({ fact }) => fact === 'published_package').map((each) => each.subjectId);
  const judged = await refreshPackageStandings(connection, [...new Set(published)]);
  return [...new Set([...changed, ...judged])];
}

/**
 * Removes facts that a source no longer shows. The caller has locked the subjects. If the fact is `published_package`,
 * the packages of the listings are judged again. Returns the subjects that had such a fact.
 */
export async function removeFacts(
  connection: Connection,
  subjectIds: readonly string[],
  fact: ObservedFactName,
  source: string,
): Promise<string[]> {
  if (subjectIds.length === 0) return [];
  const removed = await deleteFacts(connection, subjectIds, fact, source);
  if (fact !== 'published_package') return removed;
  return [...new Set([...removed, ...(await refreshPackageStandings(connection, removed))])];
}
