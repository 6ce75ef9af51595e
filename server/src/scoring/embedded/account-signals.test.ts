import { describe, expect, it } from 'vitest';
import { ACCOUNT_VECTORS, accountFacts } from '../../../testing/scoring/account-vectors.ts';
import { contributionOf } from '../../../testing/scoring/contribution-of.ts';
import { daysAgo, observation, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import type { AccountFacts, AccountKind } from '../fact-types.ts';
import type { BackendScore } from '../scoring-backend.ts';
import { scoreByMethod } from './embedded-backend.ts';

type AccountType = 'social_account' | 'messaging_account';

function score(facts: AccountFacts, type: AccountType = 'social_account'): BackendScore {
  return scoreByMethod(scoreRequest(facts, type));
}

function reading(signal: string, known: Partial<AccountFacts>, type: AccountType = 'social_account') {
  return contributionOf(score(accountFacts('account', known), type), signal);
}

function vector(name: string): AccountFacts {
  const found = ACCOUNT_VECTORS.find((each) => each.name === name);
  if (!found) throw new Error(`no vector ${name}`);
  return found.facts;
}

const halfAYear = { accountCreatedAt: observation(daysAgo(180)) };
const aged = { accountCreatedAt: observation(daysAgo(100_000)) };

describe('golden vectors', () => {
  it.each(ACCOUNT_VECTORS)('scores $name as published', ({ type, facts, trust, raw, confidence }) => {
    const result = score(facts, type);

    expect(Math.abs(result.trust - trust)).toBeLessThanOrEqual(0.1001);
    expect(Math.abs(result.confidence - confidence)).toBeLessThanOrEqual(0.1001);
    expect(result.status).toBe('complete');
    expect(result.caps).toHaveLength(raw === undefined ? 0 : 1);
    if (raw !== undefined) expect(Math.abs((result.caps[0]?.raw ?? 0) - raw)).toBeLessThanOrEqual(0.1001);
  });

  it.each(['social_account', 'messaging_account'] as const)(
    'leaves a bare %s handle incomplete: nothing is observed',
    (type) => {
      const result = score(accountFacts('account'), type);

      expect(result).toMatchObject({ status: 'incomplete', trust: 35, confidence: 0, coverage: 0 });
      expect(result.contributions.every(({ status, reason }) => status === 'missing' && reason)).toBe(true);
    },
  );
});

describe('the signals of an account', () => {
  it.each([
    [true, 1, 3],
    [false, 0, 1],
  ])('take the mark of the platform (%s) for %d, on evidence of %d', (mark, value, evidence) => {
    expect(reading('verified_mark', { verifiedMark: observation(mark) })).toMatchObject({
      weight: 20,
      value,
      evidence,
    });
  });

  it.each([
    [89, 0.25],
    [90, 0.75],
    [364, 0.75],
    [365, 1],
  ])('let an account of %d days count by %d', (days, factor) => {
    const age = reading('account_age', { accountCreatedAt: observation(daysAgo(days)) });

    expect(age.weight).toBe(20);
    expect(age.value).toBeCloseTo((1 - 2 ** (-days / 730)) * factor, 4);
    expect(age.evidence).toBeCloseTo(3 * (1 - 2 ** (-days / 180)), 4);
  });

  it('read the audience on a logarithmic scale up to a hundred thousand', () => {
    const audience = (count: number) => reading('audience', { ...aged, audience: observation(count) });

    expect(audience(0)).toMatchObject({ weight: 10, value: 0, evidence: 0 });
    expect(audience(99)).toMatchObject({ value: 0.4, evidence: 1.2 });
    expect(audience(100_000)).toMatchObject({ value: 1, evidence: 3 });
    expect(audience(1e12)).toMatchObject({ value: 1, evidence: 3 });
  });

  it.each([
    ['social_account', 0.01, 0.5],
    ['social_account', 0.02, 1],
    ['social_account', 0.5, 1],
    ['messaging_account', 0.01, 0.1],
    ['messaging_account', 0.1, 1],
    ['messaging_account', 3, 1],
  ] as const)('measure a %s with engagement %d at %d', (type, engagement, value) => {
    const lively = reading('engagement', { ...aged, engagement: observation(engagement) }, type);

    expect(lively).toMatchObject({ weight: 15, evidence: 3 });
    expect(lively.value).toBeCloseTo(value, 4);
  });

  it('let the last post fade by half in sixty days', () => {
    const post = (days: number) => reading('recency', { ...aged, lastPostAt: observation(daysAgo(days)) });

    expect(post(0)).toMatchObject({ weight: 10, value: 1, evidence: 2 });
    expect(post(60).value).toBe(0.5);
    expect(post(120).value).toBe(0.25);
  });

  it.each([
    ['both', 1, 4],
    ['one', 0.5, 2.5],
    ['none', 0, 1],
  ] as const)('take a cross-link of %s for %d, on evidence of %d', (crossLink, value, evidence) => {
    expect(reading('cross_link', { crossLink: observation(crossLink) })).toMatchObject({
      weight: 25,
      value,
      evidence,
    });
  });

  it.each([
    ['audience', { audience: observation(100_000) }, 3],
    ['engagement', { engagement: observation(1) }, 3],
    ['recency', { lastPostAt: observation(daysAgo(0)) }, 2],
  ])(
    "believe half of an account's own %s at half a year, and when the age is unknown",
    (signal, known, mass) => {
      expect(reading(signal, { ...known, ...halfAYear }).evidence).toBe(mass / 2);
      expect(reading(signal, known).evidence).toBe(mass / 2);
      expect(reading(signal, { ...known, accountCreatedAt: observation(daysAgo(360)) }).evidence).toBe(
        0.75 * mass,
      );
    },
  );
});

describe('a bot', () => {
  const facts = accountFacts('bot', {
    audience: observation(4_100),
    crossLink: observation('one'),
    engagement: observation(1),
  });

  it('is read by its monthly users and its owner; engagement says nothing of it', () => {
    const result = score(facts, 'messaging_account');

    expect(contributionOf(result, 'engagement')).toMatchObject({
      status: 'not_applicable',
      reason: 'a bot has no posts to react to',
      points: 0,
    });
    expect(contributionOf(result, 'audience').value).toBeCloseTo(Math.log(4_101) / Math.log(100_001), 4);
    expect(contributionOf(result, 'cross_link').value).toBe(0.5);
    expect(result.coverage).toBeCloseTo(35 / 85, 4);
  });

  it.each(['account', 'channel'] as AccountKind[])('alone goes without: a %s does not', (kind) => {
    expect(contributionOf(score({ ...facts, kind }), 'engagement').status).toBe('observed');
  });
});

describe('caps', () => {
  const good = vector('social, verified');

  it.each([
    ['scam_flag', 10, { scamFlag: observation(true) }],
    ['audience_spike', 45, { audienceDayGrowth: observation(0.51) }],
  ] as const)('limit an account with a %s to %d and say so', (cap, limit, change) => {
    const result = score({ ...good, ...change });

    expect(result.trust).toBe(limit);
    expect(result.caps).toEqual([{ cap, limit, raw: 80.4, final: limit }]);
  });

  it('limit an account younger than ninety days to 60, whatever its other signals', () => {
    const young = (days: number) =>
      score(
        accountFacts('account', {
          accountCreatedAt: observation(daysAgo(days)),
          verifiedMark: observation(true),
          engagement: observation(1),
          lastPostAt: observation(daysAgo(0)),
          crossLink: observation('both'),
        }),
      );

    expect(young(89).trust).toBe(60);
    expect(young(89).caps).toEqual([{ cap: 'young_account', limit: 60, raw: expect.any(Number), final: 60 }]);
    expect(young(90).caps).toEqual([]);
    expect(young(90).trust).toBeGreaterThan(60);
  });

  it('let the lowest win and list each that trust exceeded', () => {
    const result = score({ ...good, scamFlag: observation(true), audienceDayGrowth: observation(2) });

    expect(result.caps.map(({ cap, final }) => [cap, final])).toEqual([
      ['scam_flag', 10],
      ['audience_spike', 10],
    ]);
  });

  it.each([
    ['an unknown flag', { scamFlag: null }],
    ['no flag', { scamFlag: observation(false) }],
    ['an unknown growth', { audienceDayGrowth: null }],
    ['growth of exactly half', { audienceDayGrowth: observation(0.5) }],
    ['a shrinking audience', { audienceDayGrowth: observation(-0.9) }],
  ])('do not follow from %s', (_case, change) => {
    expect(score({ ...good, ...change }).caps).toEqual([]);
  });
});

describe('anti-gaming', () => {
  it('gives an audience of ghosts less than an engaged one a tenth its size', () => {
    const channel = vector('channel');
    const ghosts = score({ ...channel, engagement: observation(0.001) }, 'messaging_account');
    const engaged = score(
      { ...channel, audience: observation(8_626), engagement: observation(0.1) },
      'messaging_account',
    );

    expect(engaged.trust).toBeGreaterThan(ghosts.trust + 5);
  });

  it('gives an old account without other evidence no high trust', () => {
    const bought = score({
      ...vector('social, new'),
      accountCreatedAt: observation(daysAgo(4_000)),
      audience: observation(0),
    });

    expect(bought.trust).toBeLessThan(40);
    expect(bought.tier).toBe('low');
  });

  it('treats future dates of a skewed clock as now', () => {
    const tomorrow = daysAgo(-400);
    const good = vector('social, verified');

    const result = score({ ...good, lastPostAt: { ...observation(tomorrow), observedAt: tomorrow } });

    expect(contributionOf(result, 'recency').value).toBe(1);
    expect(result.confidence).toBe(score({ ...good, lastPostAt: observation(daysAgo(0)) }).confidence);
    expect(score({ ...good, accountCreatedAt: observation(tomorrow) }).trust).toBeLessThanOrEqual(60);
  });
});
