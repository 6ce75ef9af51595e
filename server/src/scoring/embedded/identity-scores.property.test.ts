import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_VECTORS } from '../../../testing/scoring/account-vectors.ts';
import {
  accountFacts,
  count,
  creatorFacts,
  NUM_RUNS,
  portfolio,
  sortPair,
  TOLERANCE,
} from '../../../testing/scoring/arbitrary-facts.ts';
import { accounts, daysAgo, observation, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import type { AccountFacts, CreatorAccounts, CreatorFacts, CrossLink } from '../fact-types.ts';
import { scoreByMethod } from './embedded-backend.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const accountType = fc.constantFrom('social_account', 'messaging_account');
/**
 * Maximum points of trust that a proof may cost. A proof adds evidence, and evidence moves trust from the prior towards
 * the mean of all signals. For an account created today and without other facts, the first small proof can lower trust
 * by 0.63, which rounds to 0.7.
 */
const THIN_PROFILE = 0.7001;
type AccountType = 'social_account' | 'messaging_account';

const ofCreator = (facts: CreatorFacts) => scoreByMethod(scoreRequest(facts, 'creator'));
const ofAccount = (facts: AccountFacts, type: AccountType) => scoreByMethod(scoreRequest(facts, type));

function hold(property: fc.IRawProperty<unknown>): void {
  fc.assert(property, { numRuns: NUM_RUNS });
}

describe('a creator', () => {
  it('never falls as the trust of the listings rises', () => {
    hold(
      fc.property(creatorFacts, portfolio, fc.tuple(share, share), (any, held, shares) => {
        const trust = (listings: number) =>
          ofCreator({ ...any, portfolio: { ...held, weightedTrust: held.confidence * listings } }).trust;
        const [worse, better] = sortPair(shares);

        expect(trust(better)).toBeGreaterThanOrEqual(trust(worse));
      }),
    );
  });

  it('never falls as its graph equity rises', () => {
    hold(
      fc.property(creatorFacts, fc.tuple(share, share), (any, shares) => {
        const [less, more] = sortPair(shares);
        const trust = (equity: number) => ofCreator({ ...any, graphEquity: observation(equity) }).trust;

        expect(trust(more)).toBeGreaterThanOrEqual(trust(less));
      }),
    );
  });

  it('never falls as another account is proved', () => {
    const kinds = fc.constantFrom<keyof CreatorAccounts>(
      'repoHost',
      'nodePackages',
      'pythonPackages',
      'professionalNetwork',
    );
    const bits = fc.nat(15).map((number) => accounts(number.toString(2).padStart(4, '0')));
    hold(
      fc.property(creatorFacts, bits, kinds, (any, proved, kind) => {
        const score = (one: boolean) =>
          ofCreator({ ...any, accounts: observation({ ...proved, [kind]: one }) });

        expect(score(true).trust).toBeGreaterThanOrEqual(score(false).trust - THIN_PROFILE);
        expect(score(true).confidence).toBeGreaterThanOrEqual(score(false).confidence);
      }),
    );
  });

  it('never has less trust with known accounts than without them, whichever accounts these are', () => {
    const bits = fc.nat(15).map((number) => accounts(number.toString(2).padStart(4, '0')));
    hold(
      fc.property(creatorFacts, bits, (any, known) => {
        const withAccounts = ofCreator({ ...any, accounts: observation(known) });
        const without = ofCreator({ ...any, accounts: null });

        expect(withAccounts.trust).toBeGreaterThanOrEqual(without.trust - TOLERANCE);
        expect(withAccounts.confidence).toBeGreaterThanOrEqual(without.confidence);
      }),
    );
  });

  it('never gains confidence when a fact is taken away', () => {
    const hideable = fc.constantFrom<keyof CreatorFacts>(
      'accounts',
      'accountCreatedAt',
      'portfolio',
      'graphEquity',
    );
    hold(
      fc.property(creatorFacts, hideable, (any, hidden) => {
        expect(ofCreator({ ...any, [hidden]: null }).confidence).toBeLessThanOrEqual(
          ofCreator(any).confidence,
        );
      }),
    );
  });
});

describe('a social or messaging account', () => {
  it('never rises as the last post gets older', () => {
    hold(
      fc.property(accountFacts, accountType, fc.tuple(fc.nat(4_000), fc.nat(4_000)), (any, type, days) => {
        const [newer, older] = sortPair(days);
        const trust = (ago: number) =>
          ofAccount({ ...any, lastPostAt: observation(daysAgo(ago)) }, type).trust;

        expect(trust(older)).toBeLessThanOrEqual(trust(newer));
      }),
    );
  });

  it('never falls as its audience is livelier', () => {
    hold(
      fc.property(accountFacts, accountType, fc.tuple(share, share), (any, type, shares) => {
        const [less, more] = sortPair(shares);
        const trust = (engagement: number) =>
          ofAccount({ ...any, engagement: observation(engagement) }, type).trust;

        expect(trust(more)).toBeGreaterThanOrEqual(trust(less));
      }),
    );
  });

  it('never falls as it is linked to the repository host more firmly, or marked by the platform', () => {
    hold(
      fc.property(accountFacts, accountType, (any, type) => {
        const linked = (crossLink: CrossLink) =>
          ofAccount({ ...any, crossLink: observation(crossLink) }, type).trust;
        const marked = (mark: boolean) => ofAccount({ ...any, verifiedMark: observation(mark) }, type).trust;

        expect(linked('one')).toBeGreaterThanOrEqual(linked('none') - THIN_PROFILE);
        expect(linked('both')).toBeGreaterThanOrEqual(linked('one'));
        expect(marked(true)).toBeGreaterThanOrEqual(marked(false));
      }),
    );
  });

  it('of the published vectors never falls as the audience grows', () => {
    hold(
      fc.property(fc.constantFrom(...ACCOUNT_VECTORS), fc.tuple(count, count), ({ facts, type }, counts) => {
        const [fewer, more] = sortPair(counts);
        const trust = (audience: number) =>
          ofAccount({ ...facts, audience: observation(audience) }, type).trust;

        expect(trust(more)).toBeGreaterThanOrEqual(trust(fewer) - TOLERANCE);
      }),
    );
  });

  it('never gains trust from a scam flag or a leap of its audience', () => {
    hold(
      fc.property(accountFacts, accountType, (any, type) => {
        const { trust } = ofAccount({ ...any, scamFlag: null, audienceDayGrowth: null }, type);
        const flagged = ofAccount({ ...any, scamFlag: observation(true) }, type);
        const leapt = ofAccount({ ...any, audienceDayGrowth: observation(0.6) }, type);

        expect(flagged.trust).toBeLessThanOrEqual(Math.min(10, trust));
        expect(leapt.trust).toBeLessThanOrEqual(Math.min(45, trust));
      }),
    );
  });

  it('never gains confidence when a fact is taken away', () => {
    const hideable = fc.constantFrom<keyof AccountFacts>(
      'verifiedMark',
      'audience',
      'engagement',
      'lastPostAt',
      'crossLink',
    );
    hold(
      fc.property(accountFacts, accountType, hideable, (any, type, hidden) => {
        const hiding = ofAccount({ ...any, [hidden]: null }, type);

        expect(hiding.confidence).toBeLessThanOrEqual(ofAccount(any, type).confidence);
      }),
    );
  });

  it('never gains confidence by hiding its age over owning up to half a year', () => {
    hold(
      fc.property(accountFacts, accountType, fc.integer({ min: 180, max: 20_000 }), (any, type, days) => {
        const hidden = ofAccount({ ...any, accountCreatedAt: null }, type);
        const stated = ofAccount({ ...any, accountCreatedAt: observation(daysAgo(days)) }, type);

        expect(hidden.confidence).toBeLessThanOrEqual(stated.confidence);
      }),
    );
  });
});
