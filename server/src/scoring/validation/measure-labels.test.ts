import { describe, expect, it } from 'vitest';
import { observation } from '../../../testing/scoring/golden-vectors.ts';
import { measuredListing, STARS_METHOD } from '../../../testing/scoring/measured-listing.ts';
import { createLabelMatcher, type Label } from './labels.ts';
import { FEWEST_CLUSTERS, figuresOf, measureLabels } from './measure-labels.ts';
import { type KnownListing, scoreListings } from './score-listing.ts';

function labelOf(name: string, judgement: Label['judgement'], more: Partial<Label> = {}): Label {
  return {
    form: 'repo',
    name,
    judgement,
    group: 'test',
    cluster: name,
    scope: null,
    listings: [],
    leaks: [],
    ...more,
  };
}

function measure(labels: readonly Label[], listings: readonly KnownListing[]) {
  const match = createLabelMatcher(listings.map(({ listing }) => listing));
  return measureLabels(STARS_METHOD, labels, match, scoreListings(STARS_METHOD, listings));
}

/** Creates listings with 1, 2, 3 … stars from a source. */
function starred(prefix: string, count: number, from = 1, source = 'test'): KnownListing[] {
  return Array.from({ length: count }, (_, index) =>
    measuredListing(`${prefix}/${index}`, { stars: { ...observation(from + index), source } }),
  );
}

const labelsOf = (
  listings: readonly KnownListing[],
  judgement: Label['judgement'],
  more: Partial<Label> = {},
) => listings.map(({ listing }) => labelOf(listing.repository, judgement, more));

describe('figures of labels', () => {
  it('count labels without a scored listing as not covered', () => {
    const { coverage } = measure(
      [
        labelOf('acme/known', 'good'),
        labelOf('acme/unstarred', 'good'),
        labelOf('acme/missing', 'good'),
        labelOf('evil', 'bad', { form: 'npm', cluster: 'campaign' }),
        labelOf('evil-too', 'bad', { form: 'npm', cluster: 'campaign' }),
      ],
      [measuredListing('acme/known', { stars: observation(5) }), measuredListing('acme/unstarred')],
    );

    expect(coverage).toEqual([
      { judgement: 'good', form: 'repo', labels: 3, clusters: 3, listed: 2, scored: 1 },
      { judgement: 'bad', form: 'npm', labels: 2, clusters: 1, listed: 0, scored: 0 },
    ]);
  });

  it('count warnings of bad and good listings, each listing once', () => {
    const archived = { stars: observation(5), archived: true };

    const { recall, falseWarnings } = measure(
      [
        labelOf('acme/bad', 'bad', { scope: 'versions' }),
        labelOf('acme/BAD', 'bad', { scope: 'package' }),
        labelOf('acme/unnoticed', 'bad', { scope: 'package' }),
        labelOf('acme/good', 'good'),
        labelOf('acme/old', 'good'),
      ],
      [
        measuredListing('acme/bad', archived),
        measuredListing('acme/unnoticed', { stars: observation(1) }),
        measuredListing('acme/good', { stars: observation(9) }),
        measuredListing('acme/old', archived),
      ],
    );

    expect(recall).toMatchObject({
      warned: 1,
      scored: 2,
      scopes: { versions: 1, package: 1 },
      interval: null,
    });
    expect(falseWarnings).toMatchObject({ warned: 1, scored: 2, reasons: { archived: 1 } });
  });

  it('have an interval of false warnings if enough clusters are covered', () => {
    const good = starred('good', FEWEST_CLUSTERS);

    expect(measure(labelsOf(good, 'good'), good).falseWarnings.interval).toEqual({
      low: 0,
      high: expect.closeTo(0.1157, 4),
    });
    expect(measure(labelsOf(good.slice(1), 'good'), good).falseWarnings.interval).toBeNull();
  });
});

describe('the area under the curve', () => {
  const good = starred('good', FEWEST_CLUSTERS, 41);
  const bad = starred('bad', FEWEST_CLUSTERS, 1);
  const all = [...good, ...bad];

  it('exists with enough listings on both sides in different clusters', () => {
    const { classes } = measure([...labelsOf(good, 'good'), ...labelsOf(bad, 'bad')], all);

    expect(classes.map(({ name }) => name)).toEqual(['all', 'skill']);
    expect(classes[0]).toMatchObject({
      notMeasurable: null,
      areaUnderCurve: { value: 1, interval: { low: 1, high: 1 } },
      calibration: { error: expect.any(Number), interval: { low: expect.any(Number) } },
    });
  });

  it('does not exist with one listing fewer, or if two are of one cluster', () => {
    const few = [...labelsOf(good, 'good'), ...labelsOf(bad.slice(1), 'bad')];
    const shared = [
      ...labelsOf(good, 'good'),
      ...labelsOf(bad, 'bad').map((label, index) => ({ ...label, cluster: `${Math.max(1, index)}` })),
    ];

    expect(measure(few, all).classes[0]).toMatchObject({
      notMeasurable: 'n = 30 good and 29 bad; each side needs 30 in different clusters',
      areaUnderCurve: null,
      calibration: null,
    });
    expect(measure(shared, all).classes[0]).toMatchObject({
      notMeasurable: 'n = 30 good and 30 (29 clusters) bad; each side needs 30 in different clusters',
    });
  });

  it('masks the signals that leak, on both sides', () => {
    const leaking = starred('good', FEWEST_CLUSTERS + 1, 41, 'docker/mcp-registry');
    const [first, ...others] = leaking;
    const honest = starred('honest', FEWEST_CLUSTERS, 10);
    const labels = [
      ...labelsOf([...others, ...honest], 'good', { leaks: ['presence in curated registries'] }),
      ...labelsOf([...bad, ...(first ? [first] : [])], 'bad'),
    ];

    const { areaUnderCurve } = measure(labels, [...leaking, ...honest, ...bad]).classes[0] ?? {};

    // This method does not score the leaking signal, so trust follows the stars: honest listings have 10 to 39, bad
    // ones 1 to 30.
    const pairs = honest.flatMap(({ known }) =>
      bad.map((other) => Math.sign((known.facts.stars?.value ?? 0) - (other.known.facts.stars?.value ?? 0))),
    );
    const won = pairs.reduce((sum, sign) => sum + (sign + 1) / 2, 0);
    expect(areaUnderCurve?.value).toBeCloseTo(won / pairs.length, 10);
  });

  it('does not exist if a leak cannot be masked', () => {
    const labels = [...labelsOf(good, 'good', { leaks: ['bought stars'] }), ...labelsOf(bad, 'bad')];

    expect(measure(labels, all).classes[0]?.notMeasurable).toBe(
      'n = 30 good and 30 bad, with leaks that cannot be masked: bought stars',
    );
  });

  it('comes with an interval that contains it', () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({
      score: (index * 37) % 100,
      isGood: (index * 37) % 100 > (index % 7) * 12,
      cluster: `${index}`,
    }));

    const { areaUnderCurve } = figuresOf(rows);

    const { value, interval } = areaUnderCurve ?? { value: Number.NaN, interval: null };
    expect(value).toBeGreaterThan(interval?.low ?? Number.NaN);
    expect(value).toBeLessThan(interval?.high ?? Number.NaN);
  });
});
