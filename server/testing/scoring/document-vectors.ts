import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/platform/package-files.ts';
import type {
  FurtherFactName,
  FurtherFacts,
  Metadata,
  ObservedRecord,
  OpenVulnerability,
  PackageStanding,
  RepositoryFacts,
  StatedStatus,
} from '../../src/scoring/fact-types.ts';
import { accounts, daysAgo, observation, parentPassingOn, repositoryFacts } from './golden-vectors.ts';

/** Document that publishes method rs-2.0.0 with its golden vectors. */
export const METHOD_DOCUMENT = packageFile('docs/method-rs-2.0.0.md');

/** Facts of a vector as the document writes them: ages in days before the score, only those that are known. */
interface WrittenFacts {
  readonly verified?: boolean;
  readonly accounts?: string;
  readonly accountAge?: number;
  readonly age?: number;
  readonly archived?: boolean;
  readonly lastCommit?: number;
  readonly openIssues?: number;
  readonly stars?: number;
  readonly forks?: number;
  readonly downloads?: number;
  readonly license?: string;
  /** Licence that only a list states. */
  readonly listedLicense?: string;
  /** Description, tags, category and home page: 1 if present, 0 if read and absent, - if unknown. */
  readonly metadata?: string;
  readonly lists?: number;
  readonly packageConfirmed?: true;
  readonly published?: Partial<FurtherFacts['published_package']>;
  readonly standing?: Partial<Omit<PackageStanding, 'vulnerabilities'>> & {
    readonly vulnerabilities?: readonly Omit<OpenVulnerability, 'id'>[];
  };
  readonly releases?: readonly [count: number, latest: number | null];
  readonly contributors?: number;
  readonly securityPolicy?: boolean;
  readonly ownerAge?: number;
  readonly scorecard?: number;
  readonly officialMaker?: true;
  readonly parent?: number;
  /** Status as a list states it. */
  readonly stated?: StatedStatus['status'];
  /** Days since all of these facts were observed; 0 by default. */
  readonly observed?: number;
}

/** A golden vector: facts, and the score that they have. */
export interface DocumentVector {
  readonly name: string;
  readonly facts: WrittenFacts;
  readonly trust: number;
  readonly confidence: number;
  readonly lowerBound: number;
  readonly tier: string;
  readonly status: string;
  /** Names of the caps that lowered trust. */
  readonly caps: readonly string[];
}

/** Reads the vectors from the document: the lines of its JSON block, one object each. */
export function readDocumentVectors(): DocumentVector[] {
  const [, block = ''] = /```jsonl\n([\s\S]*?)```/.exec(readFileSync(METHOD_DOCUMENT, 'utf8')) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Converts the facts of a vector to those of a score request. */
export function factsOfVector(written: WrittenFacts): RepositoryFacts {
  const days = written.observed ?? 0;
  const seen = <Value>(value: Value | undefined) => (value === undefined ? null : observation(value, days));
  const ago = (age: number | undefined) => (age === undefined ? undefined : daysAgo(age));
  const observed = furtherFactsOf(written, days);
  return repositoryFacts({
    verified: seen(written.verified),
    creatorAccounts: seen(written.accounts === undefined ? undefined : accounts(written.accounts)),
    creatorAccountCreatedAt: seen(ago(written.accountAge)),
    repositoryCreatedAt: ago(written.age) ?? null,
    archived: written.archived ?? null,
    lastCommitAt: seen(ago(written.lastCommit)),
    openIssues: seen(written.openIssues),
    stars: seen(written.stars),
    forks: seen(written.forks),
    monthlyDownloads: seen(written.downloads),
    license: licenseOf(written, days),
    metadata: seen(written.metadata === undefined ? undefined : metadataOf(written.metadata)),
    parents: written.parent === undefined ? [] : [parentPassingOn(written.parent)],
    ...(written.lists !== undefined && { lists: observation(written.lists, days) }),
    ...(written.packageConfirmed && { packageConfirmed: observation(true as const, days) }),
    ...(observed.length > 0 && { observed }),
  });
}

function licenseOf({ license, listedLicense }: WrittenFacts, days: number): RepositoryFacts['license'] {
  if (license !== undefined) return observation(license, days);
  return listedLicense === undefined ? null : { ...observation(listedLicense, days), source: 'owner/list' };
}

function metadataOf(written: string): Metadata {
  const [description = null, tags = null, category = null, homepage = null] = [...written].map((part) =>
    part === '-' ? null : part === '1',
  );
  return { description, tags, category, homepage, skillManifest: null };
}

/** Creates a further fact that was observed this many days ago. */
export function record<Name extends FurtherFactName>(
  fact: Name,
  value: FurtherFacts[Name],
  daysOld = 0,
): ObservedRecord {
  return { fact, ...observation(value, daysOld) } as ObservedRecord;
}

/** A published package about which nothing but its version is known. */
export const PUBLISHED: FurtherFacts['published_package'] = {
  version: '1.2.0',
  releasedAt: null,
  provenance: null,
  deprecated: null,
  monthlyDownloads: null,
};

/** Advisory status of a package for which no advisory exists. */
export const SOUND: PackageStanding = {
  ecosystem: 'npm',
  name: 'package',
  version: '1.2.0',
  published: 'not_affected',
  everyVersion: false,
  malwareVersions: [],
  soundSince: null,
  isResearch: false,
  vulnerabilities: [],
  advisoryIds: [],
  disputedVersions: [],
};

/** Creates an open vulnerability of the published version. */
export function vulnerability(
  severity: OpenVulnerability['severity'],
  fixedIn: string | null,
): OpenVulnerability {
  return { id: 'CVE-2026-1', severity, fixedIn };
}

function standingOf({
  vulnerabilities = [],
  ...standing
}: NonNullable<WrittenFacts['standing']>): PackageStanding {
  const open = vulnerabilities.map(({ severity, fixedIn }) => vulnerability(severity, fixedIn));
  return { ...SOUND, ...standing, vulnerabilities: open };
}

function furtherFactsOf(written: WrittenFacts, days: number): ObservedRecord[] {
  const { contributors: people, officialMaker, ownerAge, published, releases, scorecard, standing } = written;
  return [
    people === undefined ? [] : record('contributors', { count: people }, days),
    officialMaker === undefined ? [] : record('official_maker', { namespace: 'io.github.owner' }, days),
    ownerAge === undefined
      ? []
      : record('owner_account', { kind: 'user', createdAt: daysAgo(ownerAge) }, days),
    standing === undefined ? [] : record('package_standing', standingOf(standing), days),
    published === undefined ? [] : record('published_package', { ...PUBLISHED, ...published }, days),
    releases === undefined
      ? []
      : record(
          'releases',
          { count: releases[0], latestAt: releases[1] === null ? null : daysAgo(releases[1]) },
          days,
        ),
    scorecard === undefined ? [] : record('scorecard', { score: scorecard }, days),
    written.securityPolicy === undefined
      ? []
      : record('security_policy', { present: written.securityPolicy }, days),
    written.stated === undefined
      ? []
      : record('stated_status', { status: written.stated, since: null }, days),
  ].flat();
}
