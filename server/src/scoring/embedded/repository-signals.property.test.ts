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
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import type { RepositoryFacts } from '../fact-types.ts';
import { METHODS, type Method } from './current-method.ts';
import { scoreByMethod } from './embedded-backend.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';

const base = fc.constantFrom(...GOLDEN_VECTORS.map((vector) => vector.facts));

type Score = (of: RepositoryFacts) => ReturnType<typeof scoreByMethod>;

const scoreBy =
  (method: Method): Score =>
  (of) =>
    scoreByMethod(scoreRequest(of), method);
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
        const [newer, older] = sortPair(days);
        const fresh = score(age(vector, newer));
        const stale = score(age(vector, older));

        expect(stale.confidence).toBeLessThanOrEqual(fresh.confidence);
        // From rs-2.0.0 on, the age of the last commit is computed at the time of its reading, so an older reading gives
        // a lower age.
        if (version === RS_1_0_0.version) expect(stale.trust).toBe(fresh.trust);
        else expect(stale.trust).toBeGreaterThanOrEqual(fresh.trust - TOLERANCE);
      }),
      { numRuns: NUM_RUNS },
    );
  });
});
