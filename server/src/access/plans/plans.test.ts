import { describe, expect, it } from 'vitest';
import { PLAN_BOOK } from '../../../testing/factories.ts';
import { isAtLeast, parsePlanBook, periodBuckets, planOf } from './plans.ts';

describe('the built-in plans', () => {
  it('have the specified prices', () => {
    expect(PLAN_BOOK.prices).toEqual({
      agent_score: 10,
      skill_score: 8,
      creator_score: 8,
      social_account_score: 5,
      messenger_account_score: 5,
      agent_skill_lineage: 20,
    });
  });

  it('open free calls, then included credits, then overage only if enabled', () => {
    const onPlan = (plan: string, overageEnabled: boolean, overageCap: number | null = null) =>
      periodBuckets(PLAN_BOOK, { plan, overageEnabled, overageCap }).map(({ source, unit, total }) => [
        source,
        unit,
        total,
      ]);

    expect(onPlan('free', true)).toEqual([['free', 'call', 25]]);
    expect(onPlan('builder', false).map(([source]) => source)).toEqual(['free', 'included']);
    expect(onPlan('builder', true)).toEqual([
      ['free', 'call', 25],
      ['included', 'credit', 2000],
      ['overage', 'credit', 2000],
    ]);
    expect(onPlan('builder', true, 300).at(-1)).toEqual(['overage', 'credit', 300]);
    expect(onPlan('builder', true, 9_000).at(-1)).toEqual(['overage', 'credit', 2000]);
  });

  it('are each at least as large as the previous one and smaller than the next', () => {
    const plans = ['free', 'builder', 'pro', 'enterprise'].map((name) => planOf(PLAN_BOOK, name));

    for (const [index, plan] of plans.entries()) {
      expect(plans.map((other) => isAtLeast(plan, other))).toEqual(plans.map((_, i) => i <= index));
    }
  });
});

describe('one plan', () => {
  const base = { activeKeys: 5, freeCalls: 25, includedCredits: 100, overageCapCredits: 100 };

  it.each([
    { activeKeys: 4 },
    { freeCalls: 0 },
    { includedCredits: 99 },
    { overageCapCredits: 99 },
    { overageCapCredits: null },
  ])('with %j is smaller in one limit, even if larger in all others', (less) => {
    const more = { activeKeys: 9, freeCalls: 90, includedCredits: 900, overageCapCredits: 900 };

    expect(isAtLeast({ ...more, ...less }, base)).toBe(false);
    expect(isAtLeast(more, base)).toBe(true);
    expect(isAtLeast(base, base)).toBe(true);
  });
});

describe('an operator’s plans', () => {
  const text = JSON.stringify(PLAN_BOOK);

  it.each([
    ['broken JSON', '{', /not valid JSON/],
    [
      'a negative price',
      text.replace('"agent_score":10', '"agent_score":-1'),
      /\/prices\/agent_score must be >= 1/,
    ],
    [
      'a fraction',
      text.replace('"freeCalls":25', '"freeCalls":2.5'),
      /\/plans\/free\/freeCalls must be integer/,
    ],
    [
      'a misspelt field',
      text.replace('"activeKeys":1,', '"activeKey":1,'),
      /must have required property 'activeKeys'/,
    ],
    ['no free plan', text.replace('"free":{', '"gratis":{'), /must have required property 'free'/],
  ])('with %s are refused with the location', (_what, content, message) => {
    expect(() => parsePlanBook(content, 'plans.json')).toThrow(message);
  });
});
