import fc from 'fast-check';
import type {
  AccountFacts,
  CreatorAccounts,
  CreatorFacts,
  Metadata,
  Observed,
  Portfolio,
  RepositoryFacts,
} from '../../src/scoring/fact-types.ts';
import { daysAgo } from './golden-vectors.ts';

/**
 * Number of runs, enough to meet every pair of unknown and extreme facts within a second. Each run of the suite has a new seed;
 * PROPERTY_RUNS changes the number, and the nightly run takes ten times as many.
 */
export const NUM_RUNS = Number(process.env.PROPERTY_RUNS ?? 1_000);
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
  description: fc.boolean(),
  tags: fc.boolean(),
  category: fc.boolean(),
  homepage: fc.boolean(),
  skillManifest: fc.option(fc.boolean()),
});
const parent = fc.record({
  id: fc.uuid(),
  score: fc.option(fc.record({ ownTrust: points, ownConfidence: points, version: moment })),
  acknowledged: fc.boolean(),
});

/** Generates facts of an agent or skill. */
export const repositoryFacts: fc.Arbitrary<RepositoryFacts> = fc.record({
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
});

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
