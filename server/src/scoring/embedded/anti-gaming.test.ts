import { describe, expect, it } from 'vitest';
import { contributionOf } from '../../../testing/scoring/contribution-of.ts';
import {
  accounts,
  daysAgo,
  GOLDEN_VECTORS,
  NOW,
  observation,
  parentPassingOn,
  scoreRequest,
} from '../../../testing/scoring/golden-vectors.ts';
import type { RepositoryFacts } from '../fact-types.ts';
import type { BackendScore } from '../scoring-backend.ts';
import { ATTACKS, effectOf } from './attacks.ts';
import { METHOD } from './current-method.ts';
import { scoreByMethod } from './embedded-backend.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';

function score(facts: RepositoryFacts, type: 'agent' | 'skill' = 'skill'): BackendScore {
  return scoreByMethod(scoreRequest(facts, type), RS_1_0_0);
}

function vector(letter: string): RepositoryFacts {
  const found = GOLDEN_VECTORS.find(({ name }) => name.startsWith(letter));
  if (!found) throw new Error(`no vector ${letter}`);
  return found.facts;
}

describe('the table of attacks', () => {
  it('has each attack once', () => {
    expect(ATTACKS.map(({ name }) => name)).toEqual([
      'Bought stars',
      'Colluding ring',
      'Laundering chain',
      'Resurrected name',
      'Emptied tracker',
      'Copied repository',
      'Name squatting',
      'Self-reported facts',
      'Slander by a list',
      'Many own listings',
      "Registered strangers' repositories",
    ]);
  });

  it.each(ATTACKS)('$name gains at most $gainAtMost points of trust', (attack) => {
    const { trust, confidence } = effectOf(attack);

    expect(trust[1] - trust[0]).toBeLessThanOrEqual(attack.gainAtMost + 0.001);
    expect(confidence[1] - confidence[0]).toBeLessThanOrEqual(attack.confidenceGainAtMost + 0.001);
    expect(trust[0] - trust[1]).toBeLessThanOrEqual((attack.lossAtMost ?? 100) + 0.001);
  });

  it('lets bought stars gain less than the same stars with forks and age would', () => {
    const [bought] = ATTACKS.filter(({ name }) => name === 'Bought stars');
    if (!bought || !('parents' in bought.after)) throw new Error('no such attack');
    const earned = { ...bought.after, forks: observation(500), repositoryCreatedAt: daysAgo(2_000) };
    const trustOf = (facts: RepositoryFacts) => scoreByMethod(scoreRequest(facts), METHOD).trust;

    expect(trustOf(earned)).toBeGreaterThan(trustOf(bought.after) + 5);
  });

  it('counts facts of a package only once the package and the repository name each other', () => {
    const [squatting] = ATTACKS.filter(({ name }) => name === 'Name squatting');
    if (!squatting || !('parents' in squatting.after)) throw new Error('no such attack');
    const confirmed = { ...squatting.after, packageConfirmed: observation(true as const) };

    expect(scoreByMethod(scoreRequest(confirmed)).trust).toBeGreaterThan(effectOf(squatting).trust[1] + 5);
  });
});

describe('anti-gaming of the first method', () => {
  it('believes 200 stars for each fork and one: bought stars without forks count as 200', () => {
    const bought = contributionOf(
      score({ ...vector('A'), stars: observation(500_000), forks: observation(0) }),
      'stars',
    );

    expect(bought.value).toBeCloseTo(Math.log(201) / Math.log(10_001), 4);
  });

  it('gives an emptied issue tracker no more than 0.7', () => {
    expect(contributionOf(score({ ...vector('A'), openIssues: observation(0) }), 'issue_load').value).toBe(
      0.7,
    );
  });

  it('passes on half from a famous parent that did not acknowledge the fork', () => {
    const parent = { ...parentPassingOn(0.8), acknowledged: false };

    expect(contributionOf(score({ ...vector('E'), parents: [parent] }), 'lineage').value).toBeCloseTo(0.4, 4);
  });

  it('cannot be raised by hiding a bad fact: confidence falls when one is taken away', () => {
    const full = score(vector('D'));
    for (const hidden of [
      'lastCommitAt',
      'openIssues',
      'stars',
      'forks',
      'license',
      'creatorAccounts',
    ] as const) {
      expect(score({ ...vector('D'), [hidden]: null }).confidence).toBeLessThan(full.confidence);
    }
  });

  it('treats future dates of a skewed clock as now', () => {
    const future = (days: number) => new Date(NOW.getTime() + days * 86_400_000).toISOString();
    const result = score({
      ...vector('A'),
      lastCommitAt: { ...observation(future(400)), observedAt: future(400) },
    });

    expect(contributionOf(result, 'freshness').value).toBe(1);
    expect(result.confidence).toBe(
      score({ ...vector('A'), lastCommitAt: observation(daysAgo(0)) }).confidence,
    );
    expect(score({ ...vector('A'), repositoryCreatedAt: future(400) }).trust).toBeLessThanOrEqual(60);
  });

  it('holds an unmaintained project below a finished one unless licence, age and tracker say finished', () => {
    const value = (change: Partial<RepositoryFacts>) =>
      contributionOf(score({ ...vector('C'), ...change }), 'freshness').value;

    expect(value({})).toBe(0.7);
    expect(value({ repositoryCreatedAt: daysAgo(365) })).toBe(0.7);
    for (const change of [
      { license: null },
      { license: observation('NONE') },
      { license: observation(' ') },
      { openIssues: observation(15) },
      { openIssues: null },
      { archived: true },
      { repositoryCreatedAt: daysAgo(364) },
      { repositoryCreatedAt: null },
    ]) {
      expect(value(change)).toBeCloseTo(2 ** (-600 / 180), 4);
    }
  });

  it('halves the age of a creator account younger than ninety days', () => {
    const value = (days: number) =>
      contributionOf(
        score({ ...vector('A'), creatorAccountCreatedAt: observation(daysAgo(days)) }),
        'creator_age',
      ).value;

    expect(value(89)).toBeCloseTo((1 - 2 ** (-89 / 365)) / 2, 4);
    expect(value(90)).toBeCloseTo(1 - 2 ** (-90 / 365), 4);
  });

  it('weighs each kind of proved account as published', () => {
    const value = (bits: string) =>
      contributionOf(
        score({ ...vector('A'), creatorAccounts: observation(accounts(bits)) }),
        'creator_accounts',
      );

    expect(['0000', '1000', '0100', '0010', '0001', '1111'].map((bits) => value(bits).value)).toEqual([
      0, 0.4, 0.2, 0.2, 0.2, 1,
    ]);
    expect(value('0000').evidence).toBe(1);
    expect(value('1111').evidence).toBe(4);
  });
});
