import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  count,
  repositoryFacts as facts,
  NUM_RUNS,
  sortPair,
  TOLERANCE,
} from '../../../testing/scoring/arbitrary-facts.ts';
import {
  daysAgo,
  GOLDEN_VECTORS,
  observation,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import type { RepositoryFacts } from '../fact-types.ts';
import { METHODS, type Method } from './current-method.ts';
import { scoreByMethod } from './embedded-backend.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';
import { RS_2_0_0 } from './method-rs-2.0.0.ts';

const base = fc.constantFrom(...GOLDEN_VECTORS.map((vector) => vector.facts));

type Score = (of: RepositoryFacts) => ReturnType<typeof scoreByMethod>;

const scoreBy =
  (method: Method): Score =>
  (of) =>
    scoreByMethod(scoreRequest(of), method);
/** Returns the facts as if all of them had been observed this many days ago. */
function observedAgo(of: RepositoryFacts, days: number): RepositoryFacts {
  const observedAt = daysAgo(days);
  const aged = Object.entries(of).map(([name, fact]) => {
    const isObserved = fact !== null && typeof fact === 'object' && 'observedAt' in fact;
    return [name, isObserved ? { ...fact, observedAt } : fact];
  });
  const observed = of.observed?.map((each) => ({ ...each, observedAt }));
  return { ...(Object.fromEntries(aged) as RepositoryFacts), ...(observed && { observed }) };
}

const methods: readonly [string, Score][] = METHODS.map((method) => [method.version, scoreBy(method)]);

describe.each(methods)('with any facts, %s', (_version, score) => {
  it('never rises as the last commit gets older', () => {
    fc.assert(
      fc.property(facts, fc.tuple(fc.nat(4_000), fc.nat(4_000)), (any, days) => {
        const [newer, older] = sortPair(days);
        const trust = (ago: number) => score({ ...any, lastCommitAt: observation(daysAgo(ago)) }).trust;

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

describe.each(methods)('with each vector of the first method, %s', (version, score) => {
  it('never falls when stars or forks rise', () => {
    fc.assert(
      fc.property(base, fc.tuple(count, count), fc.tuple(count, count), (vector, someStars, someForks) => {
        const [fewerStars, moreStars] = sortPair(someStars);
        const [fewerForks, moreForks] = sortPair(someForks);
        const trust = (stars: number, forks: number) =>
          score({ ...vector, stars: observation(stars), forks: observation(forks) }).trust;

        const lower = trust(fewerStars, fewerForks);
        expect(trust(moreStars, fewerForks)).toBeGreaterThanOrEqual(lower - TOLERANCE);
        expect(trust(fewerStars, moreForks)).toBeGreaterThanOrEqual(lower - TOLERANCE);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('loses confidence, never gains it, as our observations age', () => {
    fc.assert(
      fc.property(base, fc.tuple(fc.nat(2000), fc.nat(2000)), (vector, days) => {
        const [newer, older] = sortPair(days);
        const fresh = score(observedAgo(vector, newer));
        const stale = score(observedAgo(vector, older));

        expect(stale.confidence).toBeLessThanOrEqual(fresh.confidence);
        // From rs-2.0.0 on, an older observation also counts less in trust.
        if (version === RS_1_0_0.version) expect(stale.trust).toBe(fresh.trust);
        for (const [place, { evidence }] of stale.contributions.entries())
          expect(evidence).toBeLessThanOrEqual(fresh.contributions[place]?.evidence ?? 0);
      }),
      { numRuns: NUM_RUNS },
    );
  });
});

describe('an old observation in rs-2.0.0', () => {
  const score = scoreBy(RS_2_0_0);
  const rawTrust = (of: RepositoryFacts) => {
    const { trust, caps } = score(of);
    return caps[0]?.raw ?? trust;
  };

  it('counts as none in the end', () => {
    fc.assert(
      fc.property(facts, (any) => {
        const { repositoryCreatedAt } = any;
        const old = rawTrust(observedAgo({ ...any, parents: [] }, 20_000));

        expect(Math.abs(old - rawTrust(repositoryFacts({ repositoryCreatedAt })))).toBeLessThan(TOLERANCE);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  // Of facts that age at different speeds, bad ones may fade before good ones, so trust need not approach the prior steadily.
  const AGEING_ALIKE: [string, (any: RepositoryFacts) => RepositoryFacts][] = [
    [
      'stars, forks, licence and contributors',
      ({ stars, forks, license, observed }) =>
        repositoryFacts({
          ...{ stars, forks, license },
          observed: observed?.filter(({ fact }) => fact === 'contributors') ?? [],
        }),
    ],
    [
      'all other facts',
      // The other dates are compared with the time of the observation, so their values change with it.
      (any) => ({
        ...any,
        ...{ stars: null, forks: null, license: null },
        ...{ repositoryCreatedAt: null, lastCommitAt: null, parents: [] },
        observed: any.observed?.filter(({ fact }) => !['contributors', 'releases'].includes(fact)) ?? [],
      }),
    ],
  ];

  it.each(AGEING_ALIKE)('brings trust ever nearer to the prior: %s', (_name, choose) => {
    fc.assert(
      fc.property(facts.map(choose), fc.tuple(fc.nat(2_000), fc.nat(2_000)), (any, days) => {
        const [newer, older] = sortPair(days);
        const distance = (age: number) =>
          Math.abs(rawTrust(observedAgo(any, age)) - 100 * RS_2_0_0.prior.mean);

        expect(distance(older)).toBeLessThanOrEqual(distance(newer) + TOLERANCE);
      }),
      { numRuns: NUM_RUNS },
    );
  });
});
