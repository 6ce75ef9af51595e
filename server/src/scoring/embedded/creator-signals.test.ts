import { describe, expect, it } from 'vitest';
import { contributionOf } from '../../../testing/scoring/contribution-of.ts';
import { CREATOR_VECTORS, creatorFacts, portfolioOf } from '../../../testing/scoring/creator-vectors.ts';
import { accounts, daysAgo, observation, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import type { CreatorFacts } from '../fact-types.ts';
import type { BackendScore } from '../scoring-backend.ts';
import type { Method } from './current-method.ts';
import { scoreByMethod } from './embedded-backend.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';
import { RS_2_0_0 } from './method-rs-2.0.0.ts';

function score(known: Partial<CreatorFacts>): BackendScore {
  return scoreByMethod(scoreRequest(creatorFacts(known), 'creator'));
}

describe('golden vectors', () => {
  it.each(CREATOR_VECTORS)('scores the $name as published', ({ facts, trust, confidence }) => {
    const result = score(facts);

    expect(Math.abs(result.trust - trust)).toBeLessThanOrEqual(0.1001);
    expect(Math.abs(result.confidence - confidence)).toBeLessThanOrEqual(0.1001);
    expect(result).toMatchObject({ status: 'complete', caps: [] });
  });
});

describe('verified accounts', () => {
  it.each([
    ['0000', 0, 1],
    ['1000', 0.4, 3],
    ['0100', 0.2, 2],
    ['0010', 0.2, 2],
    ['0001', 0.2, 2],
    ['1111', 1, 6],
  ])('%s are worth %d, on evidence of %d', (bits, value, evidence) => {
    const request = scoreRequest(creatorFacts({ accounts: observation(accounts(bits)) }), 'creator');
    const reading = contributionOf(scoreByMethod(request, RS_1_0_0), 'verified_accounts');

    expect(reading).toMatchObject({ weight: 35, value, evidence });
  });
});

describe('the account on the repository host alone', () => {
  const portfolio = portfolioOf(Array(10).fill({ confidence: 50, trust: 80 }));
  const trustBy = (method: Method, bits: string | null) =>
    scoreByMethod(
      scoreRequest(
        creatorFacts({ portfolio, accounts: bits === null ? null : observation(accounts(bits)) }),
        'creator',
      ),
      method,
    );

  it('leaves the trust of a creator with good listings as it is, and adds confidence', () => {
    const [without, proved] = [trustBy(RS_2_0_0, null), trustBy(RS_2_0_0, '1000')];

    expect(proved.trust).toBe(without.trust);
    expect(proved.confidence).toBeGreaterThan(without.confidence + 10);
    expect(contributionOf(proved, 'verified_accounts')).toMatchObject({ status: 'observed', evidence: 3 });
    expect(trustBy(RS_2_0_0, '1111').trust).toBeGreaterThan(without.trust);
  });

  it('lowered that trust by rs-1.0.0', () => {
    expect(trustBy(RS_1_0_0, '1000').trust).toBeLessThan(trustBy(RS_1_0_0, null).trust);
  });
});

describe('account age', () => {
  it('grows by half of what is left every two years, its evidence every half year', () => {
    const reading = contributionOf(score({ accountCreatedAt: observation(daysAgo(1460)) }), 'account_age');

    expect(reading).toMatchObject({ weight: 20, value: 0.75 });
    expect(reading.evidence).toBeCloseTo(4 * (1 - 2 ** (-1460 / 180)), 4);
  });

  it('counts half below ninety days', () => {
    const value = (days: number) =>
      contributionOf(score({ accountCreatedAt: observation(daysAgo(days)) }), 'account_age').value;

    expect(value(89)).toBeCloseTo((1 - 2 ** (-89 / 730)) / 2, 4);
    expect(value(90)).toBeCloseTo(1 - 2 ** (-90 / 730), 4);
  });

  it('caps nothing: the age of a creator is a signal, not a limit', () => {
    expect(
      score({ accounts: observation(accounts('1111')), accountCreatedAt: observation(daysAgo(1)) }).caps,
    ).toEqual([]);
  });
});

describe('portfolio', () => {
  const portfolio = (listings: readonly { confidence: number; trust: number }[]) =>
    contributionOf(score({ portfolio: portfolioOf(listings) }), 'portfolio');
  const good = { confidence: 50, trust: 80 };

  it('is the mean trust of the listings, each as far as it is known, beside two unseen ones', () => {
    const reading = portfolio([good, { confidence: 100, trust: 20 }]);

    expect(reading).toMatchObject({ weight: 30, evidence: 1.5, source: 'registry', observedAt: daysAgo(0) });
    expect(reading.value).toBeCloseTo((2 * 0.35 + 0.5 * 0.8 + 1 * 0.2) / 3.5, 4);
  });

  it('is evidence of six at most, however many listings there are', () => {
    expect(portfolio(Array(11).fill(good)).evidence).toBe(5.5);
    expect(portfolio(Array(12).fill(good)).evidence).toBe(6);
    expect(portfolio(Array(5_000).fill(good)).evidence).toBe(6);
  });

  it('is pulled towards the prior by listings of which nothing is known', () => {
    const known = portfolio([good]);
    const unknown = portfolio([good, ...Array(1_000).fill({ confidence: 0, trust: 100 })]);

    expect(unknown).toEqual(known);
  });

  it.each([
    ['no listing', null],
    ['listings without any confidence', portfolioOf([{ confidence: 0, trust: 35 }])],
  ])('is missing with %s', (_case, facts) => {
    const result = score({ accounts: observation(accounts('1000')), portfolio: facts });

    expect(contributionOf(result, 'portfolio')).toMatchObject({
      status: 'missing',
      reason: 'no listing of theirs has a confirmed score',
    });
    expect(result.coverage).toBe(0.35);
  });

  it('ages with the scores that it was made from', () => {
    const observedAt = daysAgo(90);
    const fresh = score({ portfolio: portfolioOf([good]) });
    const stale = score({ portfolio: { ...portfolioOf([good]), observedAt } });

    expect(stale).toMatchObject({ trust: fresh.trust, freshness: observedAt });
    expect(stale.confidence).toBeLessThan(fresh.confidence);
  });
});

describe('graph equity', () => {
  it('is read as the creator graph gives it, on evidence of three', () => {
    const reading = contributionOf(score({ graphEquity: observation(0.62, 5) }), 'graph_equity');

    expect(reading).toMatchObject({ weight: 15, value: 0.62, evidence: 3, observedAt: daysAgo(5) });
  });

  it('is missing without an edge, which differs from an equity of zero', () => {
    const known = { accounts: observation(accounts('1000')) };

    const none = score(known);
    const zero = score({ ...known, graphEquity: observation(0) });

    expect(contributionOf(none, 'graph_equity').status).toBe('missing');
    expect(contributionOf(zero, 'graph_equity').status).toBe('observed');
    expect(zero.trust).toBeLessThan(none.trust);
  });
});

describe('a creator with little evidence', () => {
  it('is incomplete with nothing but a handle, and says why for every signal', () => {
    const result = score({});

    expect(result).toMatchObject({ status: 'incomplete', trust: 35, confidence: 0, coverage: 0 });
    expect(result.contributions.every(({ status, reason }) => status === 'missing' && reason)).toBe(true);
  });

  it.each([
    ['portfolio', { portfolio: portfolioOf([{ confidence: 30, trust: 40 }]) }],
    ['accounts', { accounts: observation(accounts('0000')) }],
    ['account age', { accountCreatedAt: observation(daysAgo(500)) }],
    ['graph equity', { graphEquity: observation(0.2) }],
  ])('is partly scored by the %s alone, proved or not', (_signal, known) => {
    expect(score(known).status).toBe('partial');
  });
});
