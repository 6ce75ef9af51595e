import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountFacts,
  creatorFacts,
  NUM_RUNS,
  repositoryFacts,
} from '../../../testing/scoring/arbitrary-facts.ts';
import {
  repositoryFacts as knownFacts,
  metadata,
  NOW,
  observation,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import { METHODS, type Method } from '../embedded/current-method.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { Facts } from '../fact-types.ts';
import { SUBJECT_TYPES, type SubjectType } from '../subject-type.ts';
import { type Change, compareScores, describeDifference, type ScoreVersion } from './compare-scores.ts';

const [RS_1, RS_2] = METHODS;
const FACTS: Readonly<Record<SubjectType, fc.Arbitrary<Facts>>> = {
  agent: repositoryFacts,
  skill: repositoryFacts,
  creator: creatorFacts,
  social_account: accountFacts,
  messaging_account: accountFacts,
};

/** Creates a version of a score that is a number of days later than NOW. */
function version(
  facts: Facts,
  days: number,
  method: Method = RS_2,
  type: SubjectType = 'skill',
): ScoreVersion {
  const now = new Date(NOW.getTime() + days * 86_400_000);
  const score = scoreByMethod({ ...scoreRequest(facts, type), now }, method);
  const at = now.toISOString();
  return { ...score, type, source: 'embedded', facts, factsAt: at, version: at.replace('Z', '000Z') };
}

const partsOf = ({ parts }: Change) =>
  parts === null ? Number.NaN : parts.world + parts.method + parts.time;

/** Expects that the causes add up to each change, and the changes of all parts to that of trust. */
function expectSplit(before: ScoreVersion, after: ScoreVersion): void {
  const { trust, confidence, signals, prior, caps, obstacle } = compareScores(before, after);
  const all = [...signals, ...(prior === null ? [] : [prior]), caps];
  const sumOf = (read: (of: Change) => number) => all.reduce((sum, change) => sum + read(change), 0);

  expect(obstacle).toBeNull();
  for (const change of [trust, confidence, ...all]) {
    expect(partsOf(change)).toBeCloseTo(change.total, 6);
    expect(change.before + change.total).toBeCloseTo(change.after, 9);
  }
  expect([trust.before, trust.after]).toEqual([before.trust, after.trust]);
  expect(sumOf(({ total }) => total)).toBeCloseTo(trust.total, 6);
  for (const cause of ['world', 'method', 'time'] as const)
    expect(sumOf(({ parts }) => parts?.[cause] ?? 0)).toBeCloseTo(trust.parts?.[cause] ?? 0, 6);
}

describe.each(SUBJECT_TYPES)('the difference of two scores of type %s', (type) => {
  it('is split by its causes without a rest, for any facts, times and methods', () => {
    const methods = fc.constantFrom(...METHODS);
    const days = fc.integer({ min: 0, max: 900 });
    fc.assert(
      fc.property(FACTS[type], FACTS[type], methods, methods, days, (one, other, older, newer, later) =>
        expectSplit(version(one, 0, older, type), version(other, later, newer, type)),
      ),
      { numRuns: Math.ceil(NUM_RUNS / 10) },
    );
  });

  it('is one of time and method alone where the facts are the same', () => {
    fc.assert(
      fc.property(FACTS[type], fc.constantFrom(...METHODS), (facts, newer) => {
        const { trust, confidence } = compareScores(
          version(facts, 0, RS_1, type),
          version(facts, 90, newer, type),
        );

        expect([trust.parts?.world, confidence.parts?.world]).toEqual([0, 0]);
      }),
      { numRuns: Math.ceil(NUM_RUNS / 10) },
    );
  });
});

describe('the causes of a change', () => {
  const known = knownFacts({
    stars: observation(400),
    forks: observation(30),
    lastCommitAt: observation('2026-11-20T00:00:00Z'),
    repositoryCreatedAt: '2024-01-01T00:00:00Z',
    metadata: observation(metadata(3)),
  });

  it('are changed facts where only a fact changed', () => {
    const licensed = { ...known, license: observation('MIT') };

    const { trust, signals } = compareScores(version(known, 0), version(licensed, 0));

    expect(trust.total).toBeGreaterThan(0);
    expect(trust.parts).toEqual({ world: trust.total, method: 0, time: 0 });
    expect(signals[0]).toMatchObject({ signal: 'license', was: { status: 'missing' }, is: { found: 'MIT' } });
  });

  it('are the method where only the method changed', () => {
    const { trust, signals } = compareScores(version(known, 0, RS_1), version(known, 0, RS_2));

    expect(trust.parts).toMatchObject({ world: 0, time: 0 });
    expect(trust.parts?.method).toBeCloseTo(trust.total, 9);
    expect(signals.find(({ signal }) => signal === 'repository_age')).toMatchObject({ was: null, before: 0 });
  });

  it('are the time where only time passed: observations grow old, so that confidence falls', () => {
    const { trust, confidence } = compareScores(version(known, 0), version(known, 180));

    expect(confidence.total).toBeLessThan(-1);
    expect(confidence.parts).toEqual({ world: 0, method: 0, time: confidence.total });
    expect(trust.parts).toMatchObject({ world: 0, method: 0 });
  });

  it('count what a cap takes', () => {
    const archived = { ...known, archived: true };

    const { trust, caps } = compareScores(version(known, 0), version(archived, 0));

    expect(caps.before).toBe(0);
    expect(caps.total).toBeCloseTo(trust.total, 1);
    expect(caps.parts?.world).toBeCloseTo(trust.total, 1);
  });

  it.each([
    ['other_method', { methodVersion: 'house-3' }],
    ['facts_not_stored', { facts: null }],
    ['not_reproduced', { trust: 3 }],
  ] as const)('cannot be told apart: %s', (obstacle, change) => {
    const found = compareScores({ ...version(known, 0), ...change }, version(known, 10));

    expect(found).toMatchObject({ obstacle, trust: { parts: null } });
  });

  it('are said in words, with the days and figures', () => {
    const [older, newer] = [version(known, 0), version({ ...known, license: observation('MIT') }, 30)];

    const words = describeDifference(compareScores(older, newer), { from: older, to: newer });

    expect(words).toMatch(
      /^Trust rose by \d+\.\d to \d+\.\d since 21 Nov 2026: \+\d\.\d because facts changed(, [+−]\d\.\d because time passed)?\. Confidence rose by \d\.\d to \d+\.\d\.$/,
    );
  });

  it('are no words where nothing changed', () => {
    const older = version(known, 0);
    const newer = { ...older, version: '2026-12-21T12:00:00.000000Z' };

    const words = describeDifference(compareScores(older, { ...newer, version: older.version }), {
      from: older,
      to: newer,
    });

    expect(words).toBe(
      `Trust is ${older.trust.toFixed(1)}, as on 21 Nov 2026. Confidence is ${older.confidence.toFixed(1)}, as then.`,
    );
  });
});
