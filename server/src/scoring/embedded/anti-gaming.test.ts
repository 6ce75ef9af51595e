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
import { scoreByMethod } from './embedded-backend.ts';

function score(facts: RepositoryFacts, type: 'agent' | 'skill' = 'skill'): BackendScore {
  return scoreByMethod(scoreRequest(facts, type));
}

function vector(letter: string): RepositoryFacts {
  const found = GOLDEN_VECTORS.find(({ name }) => name.startsWith(letter));
  if (!found) throw new Error(`no vector ${letter}`);
  return found.facts;
}

describe('anti-gaming', () => {
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
