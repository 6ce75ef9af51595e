import { describe, expect, it } from 'vitest';
import { daysAgo, NOW } from '../../../testing/scoring/golden-vectors.ts';
import { computeScore, lowerBoundOf, tierOf } from './compute-score.ts';
import { RS_2_0_0 } from './method-rs-2.0.0.ts';
import { missing, notApplicable, observed, type Signal } from './signal-reading.ts';

function seen(weight: number, value: number, evidence: number, daysOld = 0): Signal {
  const reading = observed({ observedAt: daysAgo(daysOld), source: 'test' }, value, evidence);
  return { name: 'seen', weight, reading };
}

function unseen(weight: number): Signal {
  return { name: 'unseen', weight, reading: missing('not known') };
}

const outside: Signal = { name: 'outside', weight: 50, reading: notApplicable('says nothing here') };

describe('trust', () => {
  it('is the mean of the prior and the observations, weighted by evidence', () => {
    const { exactTrust } = computeScore([seen(30, 1, 3), seen(10, 0, 2), unseen(60)], [], NOW);

    expect(exactTrust).toBeCloseTo((100 * (5 * 0.35 + 5 * 0.75)) / 10, 10);
  });

  it('is the prior alone where nothing is seen, or nothing applies', () => {
    const nothing = {
      trust: 35,
      confidence: 0,
      coverage: 0,
      status: 'incomplete',
      freshness: NOW.toISOString(),
    };

    expect(computeScore([unseen(100)], [], NOW)).toMatchObject(nothing);
    expect(computeScore([outside], [], NOW)).toMatchObject(nothing);
  });

  it('is not lowered, and no cap is listed, by a limit that it only just reaches', () => {
    const limits = [35, 34.9].map((limit) => ({ cap: `at ${limit}`, limit }));

    expect(computeScore([], limits.slice(0, 1), NOW)).toMatchObject({ trust: 35, caps: [] });
    expect(computeScore([], limits, NOW).caps).toEqual([
      { cap: 'at 34.9', limit: 34.9, raw: 35, final: 34.9 },
    ]);
  });
});

describe('confidence', () => {
  it('is the share of evidence relative to the prior, times the square root of the coverage', () => {
    expect(computeScore([seen(36, 0.5, 5), unseen(64), outside], [], NOW)).toMatchObject({
      confidence: 30,
      coverage: 0.36,
    });
  });

  it('halves its evidence every ninety days after our observation, which leaves trust alone', () => {
    const fresh = computeScore([seen(100, 0.8, 10)], [], NOW);
    const stale = computeScore([seen(100, 0.8, 10, 90)], [], NOW);

    expect([fresh.confidence, stale.confidence]).toEqual([66.7, 50]);
    expect(stale.trust).toBe(fresh.trust);
  });
});

it('computes trust, confidence and lower bound from one amount of evidence where the mean is weighted by it', () => {
  const { frame } = RS_2_0_0.repository;

  const stale = computeScore([seen(50, 1, 10, 180), seen(50, 0, 1)], [], NOW, frame);
  const smaller = computeScore([seen(50, 1, 5), seen(50, 0, 1)], [], NOW, frame);

  expect(stale.exactTrust).toBeCloseTo((100 * (5 * 0.35 + 5)) / 11, 10);
  expect({ ...stale, freshness: null, contributions: null }).toEqual({
    ...smaller,
    freshness: null,
    contributions: null,
  });
  expect(stale.contributions.map(({ evidence, points }) => [evidence, points])).toEqual(
    smaller.contributions.map(({ evidence, points }) => [evidence, points]),
  );
});

it('is equal for all times of a day after the observation, where the mean is weighted by evidence', () => {
  const { frame } = RS_2_0_0.repository;
  const signals = [seen(50, 1, 10, 180), seen(50, 0, 1)];
  const after = (hours: number) =>
    computeScore(signals, [], new Date(NOW.getTime() + hours * 3_600_000), frame);

  expect(after(23)).toEqual(after(0));
  expect(after(24)).not.toEqual(after(0));
});

describe('status', () => {
  it.each([
    [80, 'complete'],
    [79, 'partial'],
    [15, 'partial'],
    [14, 'incomplete'],
  ])('with %d of a hundred seen is %s', (weight, status) => {
    expect(computeScore([seen(weight, 0.5, 1), unseen(100 - weight)], [], NOW).status).toBe(status);
  });

  it('does not count what does not apply', () => {
    expect(computeScore([seen(40, 0.5, 1), unseen(10), outside], [], NOW).status).toBe('complete');
  });
});

describe('lower bound and tier', () => {
  it.each([
    [35, 0, 100 * (0.35 - 1.645 * Math.sqrt((0.35 * 0.65) / 6))],
    [80, 14, 100 * (0.8 - 1.645 * Math.sqrt((0.8 * 0.2) / 20))],
    [10, 14, 0],
    [100, 0, 100],
  ])('of trust %d on evidence of %d is as published', (trust, evidence, bound) => {
    expect(lowerBoundOf(trust, evidence)).toBeCloseTo(bound, 10);
  });

  it.each([
    [50, 'high'],
    [49.9, 'medium'],
    [30, 'medium'],
    [29.9, 'low'],
  ])('of %d gives the tier %s', (bound, tier) => {
    expect(tierOf(bound)).toBe(tier);
  });
});

describe('the contribution of a signal', () => {
  it('has four decimals, and the oldest observation dates the score', () => {
    const { contributions, freshness } = computeScore([seen(3, 1 / 3, 2 / 3, 1), seen(4, 0, 1, 7)], [], NOW);

    // (100·n / (5 + n))·(w·x / Σw), n = 5/3
    expect(contributions[0]).toMatchObject({ value: 0.3333, evidence: 0.6667, points: 3.5714 });
    expect(freshness).toBe(daysAgo(7));
    expect(computeScore([seen(1, 1, 1), unseen(2)], [], NOW).coverage).toBe(0.3333);
  });
});
