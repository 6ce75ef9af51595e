import { describe, expect, it } from 'vitest';
import { contributionOf } from '../../../testing/scoring/contribution-of.ts';
import {
  daysAgo,
  GOLDEN_VECTORS,
  metadata,
  observation,
  parentPassingOn,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import type { Parent, RepositoryFacts } from '../fact-types.ts';
import type { BackendScore } from '../scoring-backend.ts';
import { priorPoints } from './compute-score.ts';
import { embeddedBackend, scoreByMethod } from './embedded-backend.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';

function score(facts: RepositoryFacts, type: 'agent' | 'skill' = 'skill'): BackendScore {
  return scoreByMethod(scoreRequest(facts, type), RS_1_0_0);
}

function vector(letter: string): RepositoryFacts {
  const found = GOLDEN_VECTORS.find(({ name }) => name.startsWith(letter));
  if (!found) throw new Error(`no vector ${letter}`);
  return found.facts;
}

describe('golden vectors', () => {
  it.each(GOLDEN_VECTORS)(
    'scores $name as published',
    ({ facts, trust, raw, confidence, lowerBound, tier, status }) => {
      const result = score(facts);

      expect(Math.abs(result.trust - trust)).toBeLessThanOrEqual(0.1001);
      expect(Math.abs(result.confidence - confidence)).toBeLessThanOrEqual(0.1001);
      expect(Math.abs(result.lowerBound - lowerBound)).toBeLessThanOrEqual(0.1001);
      expect(result).toMatchObject({ tier, status, methodVersion: 'rs-1.0.0' });
      expect(result.caps).toHaveLength(raw === undefined ? 0 : 1);
      if (raw !== undefined) expect(Math.abs((result.caps[0]?.raw ?? 0) - raw)).toBeLessThanOrEqual(0.1001);
    },
  );

  it('scores an agent by the same table as a skill', () => {
    for (const { facts } of GOLDEN_VECTORS) {
      expect(score(facts, 'agent').trust).toBe(score(facts, 'skill').trust);
    }
  });

  it('reaches its ceiling of 89.8 and 84.4 when everything is known and perfect, and no more', () => {
    const best = score({
      ...vector('A'),
      stars: observation(1e12),
      forks: observation(1e12),
      openIssues: observation(1),
      lastCommitAt: observation(daysAgo(0)),
      repositoryCreatedAt: daysAgo(100_000),
      creatorAccountCreatedAt: observation(daysAgo(100_000)),
      parents: [parentPassingOn(1)],
    });

    expect(best).toMatchObject({ trust: 89.8, confidence: 84.4 });
  });
});

describe('what is stored with a score', () => {
  it.each(GOLDEN_VECTORS)('explains all points of $name', ({ facts }) => {
    const result = score(facts);
    const raw = result.caps[0]?.raw ?? result.trust;

    const explained = result.contributions.reduce(
      (sum, { points }) => sum + points,
      priorPoints(result.contributions),
    );

    expect(Math.abs(explained - raw)).toBeLessThanOrEqual(0.1);
    expect(result.contributions).toHaveLength(10);
  });

  it('dates the score by the oldest observation used', () => {
    const facts = { ...vector('A'), license: observation('MIT', 400) };

    expect(score(facts).freshness).toBe(daysAgo(400));
  });

  it('hashes its inputs: the same facts the same, any other fact another', () => {
    const first = score(vector('A'));
    const again = score(structuredClone(vector('A')));
    const other = score({ ...vector('A'), stars: observation(8001) });

    expect(first.inputsHash).toMatch(/^[0-9a-f]{64}$/);
    expect(again.inputsHash).toBe(first.inputsHash);
    expect(other.inputsHash).not.toBe(first.inputsHash);
  });

  it('gives a reason for every signal that is not observed', () => {
    const result = score(repositoryFacts({ metadata: observation(metadata(1)) }));

    for (const { status, reason, points, value } of result.contributions) {
      expect(reason === null).toBe(status === 'observed');
      if (status !== 'observed') expect({ points, value }).toEqual({ points: 0, value: null });
    }
  });

  it('answers as a backend named embedded', async () => {
    const reply = await embeddedBackend.score(scoreRequest(vector('B')), AbortSignal.timeout(1000));

    expect(embeddedBackend.source).toBe('embedded');
    expect(reply).toEqual(scoreByMethod(scoreRequest(vector('B'))));
    expect(reply.methodVersion).toBe('rs-2.0.0');
  });
});

describe('unknown is not zero', () => {
  it('scores unknown stars, forks and licence differently from zero', () => {
    const unknown = score({ ...vector('B'), stars: null, forks: null, license: null });
    const none = score({
      ...vector('B'),
      stars: observation(0),
      forks: observation(0),
      license: observation('NONE'),
    });

    expect(unknown.trust).toBeGreaterThan(none.trust + 5);
    expect(unknown.coverage).toBeLessThan(none.coverage);
  });

  it('believes stars without a count of forks half as much', () => {
    const known = contributionOf(
      score({ ...vector('A'), stars: observation(100), forks: observation(100) }),
      'stars',
    );
    const unknown = contributionOf(score({ ...vector('A'), stars: observation(100), forks: null }), 'stars');

    expect(unknown.value).toBe(known.value);
    expect(unknown.evidence).toBeCloseTo(known.evidence / 2, 3);
  });

  it('reads the weekly downloads of a skill only where its stars are unknown', () => {
    const facts = {
      ...vector('A'),
      stars: null,
      forks: null,
      monthlyDownloads: observation((1_000 * 30.4) / 7),
    };

    const result = score(facts);
    const starred = score({ ...facts, stars: observation(40) });
    const agent = score(facts, 'agent');

    expect(contributionOf(result, 'stars').value).toBeCloseTo(Math.log(1001) / Math.log(50_001), 4);
    expect(contributionOf(result, 'forks').status).toBe('not_applicable');
    expect(contributionOf(starred, 'stars').value).toBeCloseTo(Math.log(41) / Math.log(10_001), 4);
    expect(contributionOf(starred, 'forks').status).toBe('missing');
    expect(contributionOf(agent, 'stars').status).toBe('missing');
  });

  it('counts a skill manifest in the metadata only where one is known', () => {
    const share = (manifest: boolean | null) =>
      contributionOf(score({ ...vector('A'), metadata: observation(metadata(2, manifest)) }), 'metadata')
        .value;

    expect([null, true, false].map(share)).toEqual([0.5, 0.6, 0.4]);
  });

  it("believes half of a repository's own counts when its age is unknown", () => {
    const evidence = (createdAt: string | null) =>
      contributionOf(score({ ...vector('A'), repositoryCreatedAt: createdAt }), 'freshness').evidence;

    expect(evidence(null)).toBe(2);
    expect(evidence(daysAgo(180))).toBe(2);
    expect(evidence(daysAgo(360))).toBe(3);
  });

  it.each([
    ['MIT', 1],
    ['NOASSERTION', 0.6],
    ['NONE', 0],
  ])('values the licence %s at %d', (text, value) => {
    expect(contributionOf(score({ ...vector('A'), license: observation(text) }), 'license')).toMatchObject({
      value,
      evidence: 2,
    });
  });
});

describe('caps', () => {
  it.each([
    ['archived', 40, { archived: true }],
    ['deprecated', 40, { deprecated: true }],
    ['no_license', 70, { license: observation('NONE') }],
    ['young_repository', 60, { repositoryCreatedAt: daysAgo(89) }],
  ] as const)('limits a repository that is %s to %d and says so', (cap, limit, change) => {
    const result = score({ ...vector('A'), ...change });

    expect(result.trust).toBe(limit);
    expect(result.ownTrust).toBe(limit);
    expect(result.caps).toEqual([{ cap, limit, raw: expect.any(Number), final: limit }]);
    expect(result.caps[0]?.raw).toBeGreaterThan(limit);
  });

  it('lets the lowest of several caps win and lists each that was exceeded', () => {
    const result = score({ ...vector('A'), archived: true, license: observation('NONE') });

    expect(result.caps.map(({ cap, final }) => [cap, final])).toEqual([
      ['archived', 40],
      ['no_license', 40],
    ]);
  });

  it('caps nothing by what is unknown', () => {
    const facts = {
      ...vector('A'),
      archived: null,
      deprecated: null,
      license: null,
      repositoryCreatedAt: null,
    };

    expect(score(facts).caps).toEqual([]);
  });

  it('ends the cap on young repositories after ninety days', () => {
    expect(score({ ...vector('A'), repositoryCreatedAt: daysAgo(90) }).caps).toEqual([]);
  });
});

describe('lineage', () => {
  const unscored: Parent = { id: 'p', score: null, acknowledged: true };

  it.each([
    ['no parent', [], 'no parent is known'],
    ['a parent without a score', [unscored], 'no parent has a confirmed score'],
    ['a parent that would lower it', [parentPassingOn(0.1)], "the parent's equity would not raise trust"],
  ])('leaves lineage out with %s, and says why', (_case, parents, reason) => {
    const alone = score({ ...vector('A'), parents: [] });

    const result = score({ ...vector('A'), parents });

    expect(contributionOf(result, 'lineage')).toMatchObject({ status: 'not_applicable', reason });
    expect(result).toMatchObject({ trust: alone.trust, confidence: alone.confidence, tier: alone.tier });
  });

  it('returns trust and confidence with and without the parent', () => {
    const alone = score({ ...vector('E'), parents: [] });

    const result = score(vector('E'));

    expect(result.trust).toBeGreaterThan(alone.trust);
    expect(result).toMatchObject({ ownTrust: alone.trust, ownConfidence: alone.confidence });
  });

  it('leaves lineage out where a cap keeps it from raising trust', () => {
    const orphan = score(vector('F'));

    const result = score({ ...vector('F'), parents: [parentPassingOn(0.84)] });

    expect(contributionOf(result, 'lineage').status).toBe('not_applicable');
    expect(result).toMatchObject({ trust: 40, confidence: orphan.confidence });
  });

  it('inherits from the best parent only, not from their sum', () => {
    const one = score({ ...vector('E'), parents: [parentPassingOn(0.62)] });
    const three = score({
      ...vector('E'),
      parents: [parentPassingOn(0.3), parentPassingOn(0.62), parentPassingOn(0.5)],
    });

    expect(three.trust).toBe(one.trust);
  });
});
