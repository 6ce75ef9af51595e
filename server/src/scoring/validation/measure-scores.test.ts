import { describe, expect, it } from 'vitest';
import { daysAgo, observation } from '../../../testing/scoring/golden-vectors.ts';
import { measuredListing, STARS_METHOD } from '../../../testing/scoring/measured-listing.ts';
import { measureDistribution, measureStability } from './measure-scores.ts';
import { type KnownListing, MEASURED_METHODS, type MeasuredMethod, scoreListings } from './score-listing.ts';

const [RS_1 = STARS_METHOD] = MEASURED_METHODS;

const fromList = (list: string, value: number) => ({ value, observedAt: daysAgo(0), source: list });
const METADATA = observation({
  description: true,
  tags: true,
  category: true,
  homepage: true,
  skillManifest: null,
});

function stabilityOf(method: MeasuredMethod, listings: readonly KnownListing[], count?: number) {
  return measureStability(method, scoreListings(method, listings), count);
}

describe('the stability of a method', () => {
  const base = { metadata: METADATA, verified: observation(false) };
  const lists = ['big/list', 'small/list'];
  const listings = [
    measuredListing('a/only', { ...base, stars: fromList('big/list', 90) }, { lists: ['big/list'] }),
    measuredListing(
      'a/both',
      { ...base, stars: fromList('big/list', 5_000), forks: fromList('big/list', 100) },
      { lists },
    ),
    measuredListing('a/text', base, { lists, descriptionList: 'small/list' }),
    measuredListing('a/other', base, { lists: ['small/list', 'z/list'] }),
  ];

  it('is measured by the scores without the facts of one list, the largest lists first', () => {
    const rows = stabilityOf(RS_1, listings);

    expect(rows.map(({ list, listings: size, onlyThere }) => [list, size, onlyThere])).toEqual([
      ['big/list', 3, 1],
      ['small/list', 3, 0],
      ['z/list', 1, 0],
    ]);
    const [big, small, last] = rows;
    expect(big).toMatchObject({ changed: 1 });
    expect(big?.trust.largest).toBeGreaterThan(1);
    expect(big?.trust.mean).toBeCloseTo((big?.trust.largest ?? 0) / 2, 10);
    expect(big?.confidence.largest).toBeGreaterThan(1);
    // Without the small list, only one description is lost.
    expect(small).toMatchObject({ changed: 1 });
    expect(small?.trust.largest).toBeGreaterThan(0);
    expect(last).toMatchObject({
      changed: 0,
      trust: { mean: 0, largest: 0 },
      confidence: { mean: 0, largest: 0 },
    });
  });

  it('is measured for the given number of lists', () => {
    expect(stabilityOf(RS_1, listings, 1).map(({ list }) => list)).toEqual(['big/list']);
  });

  it('leaves out the listings that lose their score with the list', () => {
    const [row] = stabilityOf(STARS_METHOD, [
      measuredListing('a/a', { stars: fromList('big/list', 9) }, { lists: ['big/list', 'other/list'] }),
    ]);

    expect(row).toMatchObject({ listings: 1, onlyThere: 0, changed: 0, trust: { mean: 0, largest: 0 } });
  });
});

describe('the distribution of scores', () => {
  it('has the commonest pair and the entropy, of all listings and of those with stars, by kind', () => {
    const scored = scoreListings(RS_1, [
      measuredListing('a/a', { metadata: METADATA }),
      measuredListing('a/b', { metadata: METADATA }),
      measuredListing('a/c', { metadata: METADATA, verified: observation(false) }, { kind: 'agent' }),
      measuredListing('a/d', { metadata: METADATA, verified: observation(false) }),
      measuredListing('a/e', { metadata: METADATA, verified: observation(false), stars: observation(900) }),
    ]);

    const rows = measureDistribution(scored);

    expect(rows.map(({ listings, kind, rows: count }) => [listings, kind, count])).toEqual([
      ['all', 'all', 3],
      ['stars known', 'all', 1],
      ['all', 'agent', 1],
      ['stars known', 'agent', 0],
      ['all', 'skill', 2],
      ['stars known', 'skill', 1],
    ]);
    expect(rows[0]).toMatchObject({
      distinctPairs: 2,
      commonestShare: 2 / 3,
      tiers: { low: 3 },
      onlyListed: 2,
    });
    expect(rows[0]?.entropyBits).toBeCloseTo(0.918, 3);
    expect(rows[3]).toMatchObject({ commonestPair: null, commonestShare: 0, tiers: {} });
    expect(rows[0]?.verdicts).toEqual({ little_evidence: 3 });
  });
});

it('all methods have their own version', () => {
  const versions = MEASURED_METHODS.map(({ version }) => version);

  expect(new Set(versions).size).toBe(versions.length);
  expect(versions).toEqual(['rs-1.0.0', 'rs-2.0.0']);
});
