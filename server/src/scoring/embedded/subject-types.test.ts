import { describe, expect, it } from 'vitest';
import { ACCOUNT_VECTORS } from '../../../testing/scoring/account-vectors.ts';
import { CREATOR_VECTORS } from '../../../testing/scoring/creator-vectors.ts';
import { GOLDEN_VECTORS, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import type { Facts } from '../fact-types.ts';
import type { BackendScore } from '../scoring-backend.ts';
import { SUBJECT_TYPES, type SubjectType } from '../subject-type.ts';
import { METHOD, METHODS } from './current-method.ts';
import { embeddedBackend, scoreByMethod } from './embedded-backend.ts';

function firstOf(vectors: readonly { facts: Facts }[]): Facts {
  const [vector] = vectors;
  if (!vector) throw new Error('no vector');
  return vector.facts;
}

const kinds = {
  repository: { facts: firstOf(GOLDEN_VECTORS), types: ['agent', 'skill'] },
  creator: { facts: firstOf(CREATOR_VECTORS), types: ['creator'] },
  account: { facts: firstOf(ACCOUNT_VECTORS), types: ['social_account', 'messaging_account'] },
};
const pairs = Object.entries(kinds).flatMap(([kind, { facts, types }]) =>
  SUBJECT_TYPES.map((type) => ({ kind, facts, type, fits: types.includes(type) })),
);

function signalsOf(type: SubjectType, facts: Facts): string[] {
  return scoreByMethod(scoreRequest(facts, type)).contributions.map(({ signal }) => signal);
}

describe('a score is made only from facts of its own kind', () => {
  it.each(pairs.filter(({ fits }) => fits))('$type from facts of a $kind', ({ facts, type }) => {
    expect(scoreByMethod(scoreRequest(facts, type))).toMatchObject({
      subjectType: type,
      methodVersion: METHOD.version,
    });
  });

  it.each(pairs.filter(({ fits }) => !fits))('never $type from facts of a $kind', async ({ facts, type }) => {
    const score: Promise<BackendScore> = embeddedBackend.score(
      scoreRequest(facts, type),
      AbortSignal.timeout(1_000),
    );

    await expect(score).rejects.toThrow(`scores a subject of type ${type} only from facts of that type`);
  });
});

describe('the table of each type', () => {
  it('of a creator has no signal of a listing, so that there is no feedback loop', () => {
    expect(signalsOf('creator', kinds.creator.facts)).toEqual([
      'verified_accounts',
      'account_age',
      'portfolio',
      'graph_equity',
    ]);
  });

  it.each(['social_account', 'messaging_account'] as const)('of a %s is that of the platform', (type) => {
    expect(signalsOf(type, kinds.account.facts)).toEqual([
      'verified_mark',
      'account_age',
      'audience',
      'engagement',
      'recency',
      'cross_link',
    ]);
  });

  it.each(pairs.filter(({ fits }) => fits))(
    'of a $type has weights that add up to 100',
    ({ facts, type }) => {
      for (const method of METHODS) {
        const { contributions } = scoreByMethod(scoreRequest(facts, type), method);

        expect(contributions.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
      }
    },
  );

  it.each(pairs.filter(({ fits }) => fits))('of a $type gives it no score apart from lineage', (pair) => {
    const score = scoreByMethod(scoreRequest(pair.facts, pair.type));

    expect(score).toMatchObject({ ownTrust: score.trust, ownConfidence: score.confidence });
  });
});

describe('the hash of the inputs', () => {
  it('tells apart every fact of a creator and of an account, and the type', () => {
    const variants: [SubjectType, Facts][] = [
      ['social_account', kinds.account.facts],
      ['messaging_account', kinds.account.facts],
      ['creator', kinds.creator.facts],
      ...withoutOne('social_account', kinds.account.facts),
      ...withoutOne('creator', kinds.creator.facts),
    ];

    const hashes = variants.map(([type, facts]) => scoreByMethod(scoreRequest(facts, type)).inputsHash);

    expect(new Set(hashes).size).toBe(variants.length);
    expect(hashes).toEqual(
      variants.map(([type, facts]) => scoreByMethod(scoreRequest(structuredClone(facts), type)).inputsHash),
    );
  });

  it('does not depend on the time: the same facts a day later have the same hash', () => {
    const request = scoreRequest(kinds.account.facts, 'social_account');
    const later = { ...request, now: new Date(request.now.getTime() + 86_400_000) };

    expect(scoreByMethod(later).inputsHash).toBe(scoreByMethod(request).inputsHash);
  });
});

/** Yields the facts with one known fact removed, for each known fact. */
function withoutOne(type: SubjectType, facts: Facts): [SubjectType, Facts][] {
  return Object.entries(facts)
    .filter(([, fact]) => fact !== null && typeof fact === 'object')
    .map(([name]) => [type, { ...facts, [name]: null }]);
}
