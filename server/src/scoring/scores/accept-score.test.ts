import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { ACCOUNT_VECTORS } from '../../../testing/scoring/account-vectors.ts';
import { CREATOR_VECTORS } from '../../../testing/scoring/creator-vectors.ts';
import {
  GOLDEN_VECTORS,
  NOW,
  repositoryFacts,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import { hashInputs } from '../score-inputs.ts';
import type { ScoreRequest } from '../scoring-backend.ts';
import { SUBJECT_TYPES, type SubjectType } from '../subject-type.ts';
import { acceptScore, type RejectionKind, ScoreRejected } from './accept-score.ts';

const SOURCE = 'scores.example';
const request = scoreRequest(repositoryFacts());
const good = { subjectType: 'skill', trust: 62.5, confidence: 40, status: 'partial' };

function rejectionOf(reply: unknown, asked: ScoreRequest = request): ScoreRejected {
  try {
    acceptScore(reply, asked, SOURCE);
  } catch (error) {
    if (error instanceof ScoreRejected) return error;
    throw error;
  }
  throw new Error('the reply was accepted');
}

const contribution = {
  signal: 'stars',
  value: 0.5,
  weight: 12,
  points: 4,
  evidence: 2,
  status: 'observed',
  source: null,
  observedAt: null,
  reason: null,
};

describe('a reply that is no usable score is rejected', () => {
  const malformed: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a number', 62.5],
    ['an array', [good]],
    ['text', JSON.stringify(good)],
    ['no trust', { ...good, trust: undefined }],
    ['trust NaN', { ...good, trust: Number.NaN }],
    ['trust Infinity', { ...good, trust: Number.POSITIVE_INFINITY }],
    ['trust -Infinity', { ...good, trust: Number.NEGATIVE_INFINITY }],
    ['trust as text', { ...good, trust: '62.5' }],
    ['trust null', { ...good, trust: null }],
    ['trust true', { ...good, trust: true }],
    ['trust in an array', { ...good, trust: [62.5] }],
    ['trust just below zero', { ...good, trust: -0.0001 }],
    ['trust just above a hundred', { ...good, trust: 100.0001 }],
    ['confidence NaN', { ...good, confidence: Number.NaN }],
    ['confidence Infinity', { ...good, confidence: Number.POSITIVE_INFINITY }],
    ['confidence as text', { ...good, confidence: '90' }],
    ['confidence below zero', { ...good, confidence: -1 }],
    ['confidence above a hundred', { ...good, confidence: 101 }],
    ['no status', { ...good, status: undefined }],
    ['an unknown status', { ...good, status: 'done' }],
    ['a status in capitals', { ...good, status: 'COMPLETE' }],
    ['a lower bound NaN', { ...good, lowerBound: Number.NaN }],
    ['own trust above a hundred', { ...good, ownTrust: 101 }],
    ['coverage above one', { ...good, coverage: 1.1 }],
    ['a freshness without a time zone', { ...good, freshness: '2026-11-20T00:00:00' }],
    ['a freshness in a thirteenth month', { ...good, freshness: '2026-13-01T00:00:00Z' }],
    ['a freshness on 31 February', { ...good, freshness: '2026-02-31T00:00:00Z' }],
    ['a freshness on 29 February of a year without', { ...good, freshness: '2026-02-29T00:00:00Z' }],
    ['a freshness on 31 April', { ...good, freshness: '2026-04-31T00:00:00Z' }],
    ['a freshness in month 00', { ...good, freshness: '2026-00-10T00:00:00Z' }],
    ['a freshness on day 00', { ...good, freshness: '2026-10-00T00:00:00Z' }],
    ['a freshness at 24 o’clock', { ...good, freshness: '2026-10-10T24:00:00Z' }],
    ['a freshness with 60 minutes', { ...good, freshness: '2026-10-10T00:60:00Z' }],
    ['a freshness with 60 seconds', { ...good, freshness: '2026-10-10T00:00:60Z' }],
    ['a hash of another form', { ...good, inputsHash: 'abc' }],
    ['a method version with a null character', { ...good, methodVersion: 'v\u0000' }],
    ['a method version with half a surrogate pair', { ...good, methodVersion: 'v\ud800' }],
    [
      'an observation in a thirteenth month',
      { ...good, contributions: [{ ...contribution, observedAt: '2026-13-01T00:00:00Z' }] },
    ],
    ['contributions that are no list', { ...good, contributions: {} }],
    ['an incomplete contribution', { ...good, contributions: [{ signal: 'stars' }] }],
    ['points that are no number', { ...good, contributions: [{ ...contribution, points: Number.NaN }] }],
    ['a hundred and one contributions', { ...good, contributions: Array(101).fill(contribution) }],
    ['a cap without a limit', { ...good, caps: [{ cap: 'archived' }] }],
  ];
  const unusable: [string, unknown, RejectionKind][] = [
    ...malformed.map(([name, reply]): [string, unknown, RejectionKind] => [name, reply, 'malformed']),
    ['another type', { ...good, subjectType: 'agent' }, 'wrong_type'],
    ['a type of no subject', { ...good, subjectType: 'Skill' }, 'wrong_type'],
    ['incomplete evidence', { ...good, status: 'incomplete' }, 'incomplete'],
    ['zero twice', { ...good, trust: 0, confidence: 0 }, 'double_zero'],
    ['negative zero twice', { ...good, trust: -0, confidence: -0 }, 'double_zero'],
  ];

  it('whatever makes it unusable', async () => {
    const check = ([, reply, kind]: (typeof unusable)[number]) => expect(rejectionOf(reply).kind).toBe(kind);

    await expectEveryRow(unusable, ([name]) => name, check);
  });

  it('without quoting any of its text', () => {
    const secret = 'svc_live_secret';
    const replies = [
      { ...good, trust: secret },
      { ...good, status: secret },
      { ...good, subjectType: secret },
      { ...good, freshness: secret },
      { ...good, contributions: [{ ...contribution, [secret]: 1, signal: `${secret}\u0000` }] },
    ];

    for (const reply of replies) expect(rejectionOf(reply).message).not.toContain(secret);
  });
});

describe('each of the five types', () => {
  const pairs = SUBJECT_TYPES.flatMap((asked) => SUBJECT_TYPES.map((answered) => ({ asked, answered })));
  const reply = (subjectType: SubjectType) => ({ ...good, subjectType });

  it.each(SUBJECT_TYPES)('is accepted as itself: %s', (type) => {
    const accepted = acceptScore(reply(type), { ...request, subject: { ...request.subject, type } }, SOURCE);

    expect(accepted).toMatchObject({
      subjectType: type,
      record: { trust: 62.5, inputs: { subjectType: type } },
    });
  });

  it('is never accepted for another', async () => {
    const different = pairs.filter(({ asked, answered }) => asked !== answered);
    const check = ({ asked, answered }: (typeof pairs)[number]) => {
      const subject = { ...request.subject, type: asked };

      expect(rejectionOf(reply(answered), { ...request, subject }).kind).toBe('wrong_type');
    };

    await expectEveryRow(different, ({ asked, answered }) => `${answered} for ${asked}`, check);
  });

  it.each(SUBJECT_TYPES)('needs evidence and numbers: %s', (type) => {
    const asked = { ...request, subject: { ...request.subject, type } };
    const kinds = [
      { status: 'incomplete' },
      { trust: 0, confidence: 0 },
      { trust: Number.NaN },
      { trust: 101 },
    ].map((change) => rejectionOf({ ...reply(type), ...change }, asked).kind);

    expect(kinds).toEqual(['incomplete', 'double_zero', 'malformed', 'malformed']);
  });

  it('keeps its own facts as its inputs', async () => {
    const vectors = [
      ...CREATOR_VECTORS.map(({ facts }) => ({ type: 'creator' as const, facts })),
      ...ACCOUNT_VECTORS.map(({ type, facts }) => ({ type, facts })),
    ];
    const check = ({ type, facts }: (typeof vectors)[number]) => {
      const asked = scoreRequest(facts, type);
      const made = scoreByMethod(asked);

      const { record } = acceptScore(made, asked, 'embedded');

      expect(record).toMatchObject({
        trust: made.trust,
        own_trust: made.trust,
        inputs_hash: made.inputsHash,
      });
      const { name, repository } = asked.subject;
      const subject = { name, repository };
      expect(record.inputs).toEqual({ subjectType: type, now: NOW.toISOString(), facts, subject });
      expect(hashInputs(record.inputs)).toBe(record.inputs_hash);
    };

    await expectEveryRow(vectors, ({ type, facts }) => `${type} ${JSON.stringify(facts)}`, check);
  });
});

describe('an accepted score', () => {
  it.each(['complete', 'partial'])('may be %s', (status) => {
    expect(acceptScore({ ...good, status }, request, SOURCE).record.status).toBe(status);
  });

  it.each([
    [0, 1],
    [1, 0],
    [100, 100],
  ])('may have trust %d with confidence %d', (trust, confidence) => {
    expect(acceptScore({ ...good, trust, confidence }, request, SOURCE).record).toMatchObject({
      trust,
      confidence,
    });
  });

  it('stores an embedded score as it was made, but incomplete ones', () => {
    for (const { facts, status } of GOLDEN_VECTORS) {
      if (status === 'incomplete') continue;
      const asked = scoreRequest(facts);
      const reply = scoreByMethod(asked);

      const { record } = acceptScore(reply, asked, 'embedded');

      expect(record).toEqual({
        trust: reply.trust,
        confidence: reply.confidence,
        lower_bound: reply.lowerBound,
        tier: reply.tier,
        status: reply.status,
        own_trust: reply.ownTrust,
        own_confidence: reply.ownConfidence,
        coverage: reply.coverage,
        source: 'embedded',
        method_version: 'rs-2.0.0',
        freshness: reply.freshness,
        inputs_hash: reply.inputsHash,
        inputs: {
          subjectType: 'skill',
          now: NOW.toISOString(),
          facts,
          subject: { name: asked.subject.name, repository: asked.subject.repository },
        },
        contributions: reply.contributions,
        caps: reply.caps,
      });
    }
  });

  it('derives what a backend leaves out without overstating it', () => {
    const { record } = acceptScore(good, request, SOURCE);

    expect(record).toMatchObject({
      own_trust: 62.5,
      own_confidence: 40,
      source: SOURCE,
      coverage: null,
      method_version: null,
      inputs_hash: null,
      freshness: NOW.toISOString(),
      contributions: [],
      caps: [],
    });
    expect(record.lower_bound).toBeGreaterThan(0);
    expect(record.lower_bound).toBeLessThan(62.5);
  });

  it('bounds a derived lower bound by that of the method, for every published vector', () => {
    for (const { trust, confidence, lowerBound } of GOLDEN_VECTORS) {
      const { record } = acceptScore({ ...good, trust, confidence }, request, SOURCE);

      expect(record.lower_bound).toBeLessThanOrEqual(lowerBound + 0.1);
    }
  });

  it('derives a lower bound as for a confidence of 99.9 from any nearer to 100, which no evidence would reach', () => {
    const boundAt = (confidence: number) =>
      acceptScore({ ...good, trust: 90, confidence }, request, SOURCE).record.lower_bound;

    // The bound for the evidence of a confidence of 99.9: just below the trust, and finite.
    expect(boundAt(99.9)).toBeCloseTo(89.302155, 5);
    expect(boundAt(99.8)).toBeLessThan(boundAt(99.9));
    for (const confidence of [99.95, 99.9999999, 100]) expect(boundAt(confidence)).toBe(boundAt(99.9));
  });

  it('takes its tier from the lower bound, whatever the backend says', () => {
    const reply = { ...good, trust: 90, lowerBound: 29.9, tier: 'high' };

    expect(acceptScore(reply, request, SOURCE).record.tier).toBe('low');
    expect(acceptScore({ ...reply, lowerBound: 30 }, request, SOURCE).record.tier).toBe('medium');
    expect(acceptScore({ ...reply, lowerBound: 50 }, request, SOURCE).record.tier).toBe('high');
  });

  it('has a lower bound no higher than its trust', () => {
    const { record } = acceptScore({ ...good, trust: 20, lowerBound: 63 }, request, SOURCE);

    expect(record).toMatchObject({ trust: 20, lower_bound: 20, tier: 'low' });
  });

  it.each(['2024-02-29T23:59:59Z', '2025-01-31T00:00:00Z', '2025-12-28T00:00:00.123456Z'])(
    'takes the freshness %s as it is',
    (freshness) => {
      expect(acceptScore({ ...good, freshness }, request, SOURCE).record.freshness).toBe(freshness);
    },
  );

  it('is never fresher than the request', () => {
    const reply = { ...good, freshness: '2999-01-01T00:00:00Z' };

    expect(acceptScore(reply, request, SOURCE).record.freshness).toBe(NOW.toISOString());
  });

  it('ignores members that it does not know', () => {
    const reply = { ...good, contributions: [{ ...contribution, html: '<script>' }], note: '<script>' };

    expect(acceptScore(reply, request, SOURCE).record.contributions).toEqual([contribution]);
    expect(JSON.stringify(acceptScore(reply, request, SOURCE))).not.toContain('<script>');
  });
});
