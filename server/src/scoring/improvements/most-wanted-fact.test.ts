import { describe, expect, it } from 'vitest';
import {
  daysAgo,
  metadata,
  observation,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { RepositoryFacts } from '../fact-types.ts';
import type { Contribution } from '../scoring-backend.ts';
import { mostWantedFact } from './most-wanted-fact.ts';

const scored = (facts: Partial<RepositoryFacts>) =>
  scoreByMethod(scoreRequest(repositoryFacts({ verified: observation(false), ...facts })));

const contribution = (signal: string, weight: number, status: Contribution['status']): Contribution => ({
  signal,
  weight,
  status,
  value: status === 'observed' ? 0.5 : null,
  points: 0,
  evidence: status === 'observed' ? 1 : 0,
  source: null,
  observedAt: null,
  reason: null,
});

describe('the fact that would move confidence most', () => {
  it('is the last commit for a repository of which only stars are known', () => {
    const wanted = mostWantedFact(scored({ stars: observation(9_000), metadata: observation(metadata(3)) }));

    expect(wanted?.signal).toBe('freshness');
  });

  it('adds about as many points as the method gives when it is observed', () => {
    const facts = {
      stars: observation(9_000),
      metadata: observation(metadata(3)),
      repositoryCreatedAt: daysAgo(900),
    };
    const before = scored(facts);
    const after = scored({ ...facts, lastCommitAt: observation(daysAgo(1)) });

    const gain = mostWantedFact(before)?.gain ?? 0;

    expect(gain / (after.confidence - before.confidence)).toBeGreaterThan(0.5);
    expect(gain / (after.confidence - before.confidence)).toBeLessThan(2);
  });

  it('is found from the contributions of any method', () => {
    const contributions = [
      contribution('observed here', 20, 'observed'),
      contribution('small', 5, 'missing'),
      contribution('provenance', 15, 'missing'),
      contribution('irrelevant', 40, 'not_applicable'),
    ];

    expect(mostWantedFact({ confidence: 12, contributions })?.signal).toBe('provenance');
  });

  it('is nothing about a package of a repository for which no package counts', () => {
    const facts = {
      stars: observation(9_000),
      lastCommitAt: observation(daysAgo(1)),
      metadata: observation(metadata(3)),
    };

    expect(mostWantedFact(scored(facts))?.signal).toBe('verified_listing');
    expect(mostWantedFact(scored({ ...facts, packageConfirmed: observation(true) }))?.signal).toBe(
      'vulnerabilities',
    );
  });

  it('is none when nothing is missing, or when a score has no contributions', () => {
    expect(
      mostWantedFact({ confidence: 60, contributions: [contribution('all', 20, 'observed')] }),
    ).toBeNull();
    expect(mostWantedFact({ confidence: 60, contributions: [] })).toBeNull();
  });

  it('never adds a negative number of points, and a heavier signal adds more', () => {
    for (const confidence of [0, 5, 20, 39])
      for (const observed of [0, 10, 60]) {
        const of = (weight: number) =>
          mostWantedFact({
            confidence: observed === 0 ? 0 : confidence,
            contributions: [
              contribution('known', observed, observed === 0 ? 'missing' : 'observed'),
              contribution('wanted', weight, 'missing'),
            ],
          })?.gain ?? 0;
        expect(of(10)).toBeGreaterThanOrEqual(0);
        expect(of(30)).toBeGreaterThanOrEqual(of(10));
      }
  });
});
