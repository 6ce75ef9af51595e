import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptScore, ScoreRejected } from '../accept-score.ts';
import type { CreatorAccounts, Metadata, Observed, RepositoryFacts } from '../repository-facts.ts';
import { daysAgo, GOLDEN_VECTORS, scoreRequest, seen } from '../testing/golden-vectors.ts';
import { scoreRepository } from './embedded-backend.ts';
import { priorPoints } from './frame.ts';

/** Meets every pair of unknown and extreme facts many times over, within three seconds; a long run asks for more. */
const NUM_RUNS = Number(process.env.PROPERTY_RUNS ?? 5_000);
/** Scores are rounded to one decimal, and so is what two of them are compared by. */
const TOLERANCE = 0.1001;

const count = fc.oneof(
  fc.integer({ min: 0, max: 50 }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
);
// Negative days lie in the future.
const moment = fc
  .oneof(fc.integer({ min: -50, max: 400 }), fc.integer({ min: -10_000, max: 40_000 }))
  .map((days) => daysAgo(days));
const points = fc.double({ min: 0, max: 100, noNaN: true });
const known = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Observed<Value> | null> =>
  fc.option(fc.record({ value, observedAt: moment, source: fc.constant('test') }), { freq: 3 });

const creatorAccounts: fc.Arbitrary<CreatorAccounts> = fc.record({
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
  id: fc.constant('parent'),
  score: fc.option(fc.record({ ownTrust: points, ownConfidence: points, version: moment })),
  acknowledged: fc.boolean(),
});
const facts: fc.Arbitrary<RepositoryFacts> = fc.record({
  verified: known(fc.boolean()),
  creatorAccounts: known(creatorAccounts),
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
const base = fc.constantFrom(...GOLDEN_VECTORS.map((vector) => vector.facts));

function score(of: RepositoryFacts, type: 'agent' | 'skill' = 'skill') {
  return scoreRepository(scoreRequest(of, type));
}

function inOrder(pair: readonly [number, number]): [number, number] {
  return [Math.min(...pair), Math.max(...pair)];
}

describe('for any facts', () => {
  it('keeps every number within 0 and 100 and explains the raw trust', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom('agent', 'skill'), (any, type) => {
        const result = score(any, type);

        for (const number of [
          result.trust,
          result.confidence,
          result.lowerBound,
          result.ownTrust,
          result.ownConfidence,
        ]) {
          expect(number).toBeGreaterThanOrEqual(0);
          expect(number).toBeLessThanOrEqual(100);
        }
        expect(result.lowerBound).toBeLessThanOrEqual(result.trust);
        expect(result.trust).toBeGreaterThan(0);
        const raw = result.caps[0]?.raw ?? result.trust;
        const explained = result.contributions.reduce(
          (sum, each) => sum + each.points,
          priorPoints(result.contributions),
        );
        expect(Math.abs(explained - raw)).toBeLessThanOrEqual(0.1);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('is accepted unless its evidence is incomplete', () => {
    fc.assert(
      fc.property(facts, (any) => {
        const request = scoreRequest(any);
        const reply = scoreRepository(request);

        if (reply.status === 'incomplete')
          expect(() => acceptScore(reply, request, 'embedded')).toThrow(ScoreRejected);
        else
          expect(acceptScore(reply, request, 'embedded').record).toMatchObject({
            trust: reply.trust,
            tier: reply.tier,
          });
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('never rises as the last commit gets older', () => {
    fc.assert(
      fc.property(facts, fc.tuple(fc.nat(4_000), fc.nat(4_000)), (any, days) => {
        const [newer, older] = inOrder(days);
        const trust = (ago: number) => score({ ...any, lastCommitAt: seen(daysAgo(ago)) }).trust;

        expect(trust(older)).toBeLessThanOrEqual(trust(newer));
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('never lowers trust or confidence because of a parent', () => {
    fc.assert(
      fc.property(facts, (any) => {
        const result = score(any);
        const orphan = score({ ...any, parents: [] });

        expect(result.trust).toBeGreaterThanOrEqual(orphan.trust);
        expect(result.confidence).toBeGreaterThanOrEqual(orphan.confidence);
        expect(result).toMatchObject({ ownTrust: orphan.trust, ownConfidence: orphan.confidence });
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('never gains confidence when a fact is taken away', () => {
    const hideable = fc.constantFrom(
      ...([
        'verified',
        'creatorAccounts',
        'creatorAccountCreatedAt',
        'lastCommitAt',
        'openIssues',
        'forks',
        'metadata',
      ] as const),
    );
    fc.assert(
      fc.property(facts, hideable, (any, hidden) => {
        expect(score({ ...any, [hidden]: null }).ownConfidence).toBeLessThanOrEqual(score(any).ownConfidence);
      }),
      { numRuns: NUM_RUNS },
    );
  });
});

describe('for each published vector', () => {
  it('never falls when stars or forks rise', () => {
    fc.assert(
      fc.property(base, fc.tuple(count, count), fc.tuple(count, count), (vector, someStars, someForks) => {
        const [fewerStars, moreStars] = inOrder(someStars);
        const [fewerForks, moreForks] = inOrder(someForks);
        const trust = (stars: number, forks: number) =>
          score({ ...vector, stars: seen(stars), forks: seen(forks) }).trust;

        const lower = trust(fewerStars, fewerForks);
        expect(trust(moreStars, fewerForks)).toBeGreaterThanOrEqual(lower - TOLERANCE);
        expect(trust(fewerStars, moreForks)).toBeGreaterThanOrEqual(lower - TOLERANCE);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('loses confidence, never gains it, as our observations age', () => {
    const age = (facts: RepositoryFacts, days: number): RepositoryFacts => {
      const aged = Object.entries(facts).map(([name, fact]) => [
        name,
        fact !== null && typeof fact === 'object' && 'observedAt' in fact
          ? { ...fact, observedAt: daysAgo(days) }
          : fact,
      ]);
      return Object.fromEntries(aged) as RepositoryFacts;
    };
    fc.assert(
      fc.property(base, fc.tuple(fc.nat(2000), fc.nat(2000)), (vector, days) => {
        const [newer, older] = inOrder(days);
        const fresh = score(age(vector, newer));
        const stale = score(age(vector, older));

        expect(stale.confidence).toBeLessThanOrEqual(fresh.confidence);
        expect(stale.trust).toBe(fresh.trust);
      }),
      { numRuns: NUM_RUNS },
    );
  });
});
