import type { Connection } from '../../platform/database/connect.ts';
import { deleteFacts, upsertFacts } from './observed-facts.queries.ts';

/** Vulnerability of a package's published version; `fixedIn` is null if no version without it is out. */
export interface OpenVulnerability {
  id: string;
  severity: 'critical' | 'high' | 'medium' | 'low' | null;
  fixedIn: string | null;
}

/**
 * Values of the facts that are observed about listed repositories, by the fact's name. Times are ISO 8601 UTC. A part
 * that the source does not show is null, never zero or false. The names are stored, so that they must not change.
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
  /** What advisories say about the listing's confirmed package. */
  package_standing: {
    ecosystem: 'npm' | 'pypi';
    name: string;
    /** Published version that was judged; null if it was never read. */
    version: string | null;
    published: 'malware' | 'not_affected' | 'unread';
    /** True if a record about malware covers every version of the package. */
    everyVersion: boolean;
    /** Affected versions by malware records, as texts such as `0.5.1` or `>=1.0.16`. */
    malwareVersions: readonly string[];
    /** Release time of the published version, if it is sound and an earlier one had malware; null if unknown. */
    soundSince: string | null;
    /** True if all malware records are proofs of concept of researchers. */
    isResearch: boolean;
    vulnerabilities: readonly OpenVulnerability[];
    advisoryIds: readonly string[];
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
  /** Entry of an agent-skills index that a confirmed domain of the owner publishes. */
  skills_index: { name: string; digest: string | null };
}

export type ObservedFactName = keyof ObservedFacts;

/** A fact about a subject, with where it was read. Storing sets the time of observation. */
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
  };
}[ObservedFactName];

/**
 * Stores facts; a later observation of the same fact by the same source replaces the earlier one. The caller has locked
 * the subjects. Returns the subjects of which a value changed, to be scored again.
 */
export async function saveFacts(connection: Connection, facts: readonly ObservedFact[]): Promise<string[]> {
  return facts.length === 0 ? [] : upsertFacts(connection, facts);
}

/**
 * Removes facts that a source no longer shows. The caller has locked the subjects. Returns the subjects that had such a
 * fact.
 */
export async function removeFacts(
  connection: Connection,
  subjectIds: readonly string[],
  fact: ObservedFactName,
  source: string,
): Promise<string[]> {
  return subjectIds.length === 0 ? [] : deleteFacts(connection, subjectIds, fact, source);
}
