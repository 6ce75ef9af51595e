import fc from 'fast-check';
import type {
  AccountFacts,
  CreatorAccounts,
  CreatorFacts,
  FurtherFactName,
  FurtherFacts,
  Metadata,
  Observed,
  ObservedRecord,
  Portfolio,
  RepositoryFacts,
} from '../../src/scoring/fact-types.ts';
import { daysAgo } from './golden-vectors.ts';

/**
 * Number of runs, enough to meet every pair of unknown and extreme facts within a second. Each run of the suite has a new seed;
 * PROPERTY_RUNS changes the number: the gate takes 400, and the nightly run 10,000.
 */
export const NUM_RUNS = Number(process.env.PROPERTY_RUNS ?? 150);
/** Tolerance for comparing scores, which are rounded to one decimal. */
export const TOLERANCE = 0.1001;

/** Generates counts from zero to more than is realistic. */
export const count = fc.oneof(
  fc.integer({ min: 0, max: 50 }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
);
// Negative days are in the future.
const moment = fc
  .oneof(fc.integer({ min: -50, max: 400 }), fc.integer({ min: -10_000, max: 40_000 }))
  .map((days) => daysAgo(days));
const points = fc.double({ min: 0, max: 100, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const known = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Observed<Value> | null> =>
  fc.option(fc.record({ value, observedAt: moment, source: fc.constant('test') }), { freq: 3 });

const accounts: fc.Arbitrary<CreatorAccounts> = fc.record({
  repoHost: fc.boolean(),
  nodePackages: fc.boolean(),
  pythonPackages: fc.boolean(),
  professionalNetwork: fc.boolean(),
});
const metadata: fc.Arbitrary<Metadata> = fc.record({
  description: fc.option(fc.boolean()),
  tags: fc.option(fc.boolean()),
  category: fc.option(fc.boolean()),
  homepage: fc.option(fc.boolean()),
  skillManifest: fc.option(fc.boolean()),
});
const parent = fc.record({
  id: fc.uuid(),
  score: fc.option(fc.record({ ownTrust: points, ownConfidence: points, version: moment })),
  acknowledged: fc.boolean(),
});

const openVulnerability = fc.record({
  id: fc.constant('CVE-2026-1'),
  severity: fc.constantFrom('critical', 'high', 'medium', 'low', null),
  fixedIn: fc.constantFrom('1.2.1', null),
});
const FURTHER: { readonly [Name in FurtherFactName]: fc.Arbitrary<FurtherFacts[Name]> } = {
  contributors: fc.record({ count }),
  official_maker: fc.constant({ namespace: 'io.github.owner' }),
  owner_account: fc.record({
    kind: fc.constantFrom('organisation', 'user'),
    createdAt: fc.option(moment),
  }),
  package_standing: fc.record({
    published: fc.constantFrom('malware', 'not_affected', 'unread'),
    everyVersion: fc.boolean(),
    isResearch: fc.boolean(),
    vulnerabilities: fc.array(openVulnerability, { maxLength: 3 }),
    ecosystem: fc.constant('npm'),
    name: fc.constant('package'),
    version: fc.constant('1.2.0'),
    malwareVersions: fc.constant([]),
    soundSince: fc.constant(null),
    advisoryIds: fc.constant([]),
    disputedVersions: fc.constant([]),
  }),
  published_package: fc.record({
    version: fc.constant('1.2.0'),
    releasedAt: fc.option(moment),
    provenance: fc.constantFrom('attested', 'none', 'lost', null),
    deprecated: fc.option(fc.boolean()),
    monthlyDownloads: fc.option(count),
  }),
  releases: fc.record({ count, latestAt: fc.option(moment) }),
  scorecard: fc.record({ score: fc.double({ min: 0, max: 10, noNaN: true }) }),
  security_policy: fc.record({ present: fc.boolean() }),
  stated_status: fc.record({
    status: fc.constantFrom('archived', 'deprecated', 'unmaintained'),
    since: fc.constantFrom('2026-04', null),
  }),
};
const record = (fact: FurtherFactName): fc.Arbitrary<ObservedRecord> =>
  fc
    .record({
      fact: fc.constant(fact),
      value: FURTHER[fact],
      observedAt: moment,
      source: fc.constant('test'),
    })
    .map((made) => made as ObservedRecord);
const furtherFacts = fc
  .subarray(Object.keys(FURTHER) as FurtherFactName[])
  .chain((names) => fc.tuple(...names.map(record)));

const COMMON_FACTS = {
  verified: known(fc.boolean()),
  creatorAccounts: known(accounts),
  creatorAccountCreatedAt: known(moment),
  repositoryCreatedAt: fc.option(moment),
  archived: fc.option(fc.boolean()),
  deprecated: fc.option(fc.boolean()),
  lastCommitAt: known(moment),
  openIssues: known(count),
  stars: known(count),
  forks: known(count),
  monthlyDownloads: known(count),
  license: known(fc.constantFrom('MIT', 'NOASSERTION', 'NONE', '', 'Proprietary', 'GPL-3.0-only')),
  metadata: known(metadata),
  parents: fc.array(parent, { maxLength: 3 }),
};
const seen = <Value>(value: fc.Arbitrary<Value>) =>
  fc.record({ value, observedAt: moment, source: fc.constant('test') });

/** Generates facts of an agent or skill. */
export const repositoryFacts: fc.Arbitrary<RepositoryFacts> = fc.record(
  {
    ...COMMON_FACTS,
    lists: seen(fc.integer({ min: 1, max: 60 })),
    packageConfirmed: seen(fc.constant(true as const)),
    observed: furtherFacts,
  },
  { requiredKeys: Object.keys(COMMON_FACTS) as (keyof typeof COMMON_FACTS)[] },
);

/** Generates portfolios whose sums are possible for listings. */
export const portfolio: fc.Arbitrary<Portfolio> = fc
  .record({
    listings: fc.integer({ min: 1, max: 20_000 }),
    confidence: share,
    trust: share,
    observedAt: moment,
  })
  .map(({ listings, confidence, trust, observedAt }) => ({
    listings,
    confidence: listings * confidence,
    weightedTrust: listings * confidence * trust,
    observedAt,
  }));

/** Generates facts of a creator. */
export const creatorFacts: fc.Arbitrary<CreatorFacts> = fc.record({
  accounts: known(accounts),
  accountCreatedAt: known(moment),
  portfolio: fc.option(portfolio, { freq: 3 }),
  graphEquity: known(share),
});

/** Generates facts of a social or messaging account. */
export const accountFacts: fc.Arbitrary<AccountFacts> = fc.record({
  kind: fc.constantFrom('account', 'channel', 'bot'),
  verifiedMark: known(fc.boolean()),
  accountCreatedAt: known(moment),
  audience: known(count),
  audienceDayGrowth: known(fc.double({ min: -1, max: 1_000, noNaN: true })),
  engagement: known(fc.double({ min: 0, max: 10, noNaN: true })),
  lastPostAt: known(moment),
  crossLink: known(fc.constantFrom('both', 'one', 'none')),
  scamFlag: known(fc.boolean()),
});

/** Sorts two numbers, the smaller first. */
export function sortPair(pair: readonly [number, number]): [number, number] {
  return [Math.min(...pair), Math.max(...pair)];
}
