import { describe, expect, it } from 'vitest';
import { PLAN_BOOK } from '../testing/factories.ts';
import { parsePlanBook, periodBuckets, planOf } from './plans.ts';

describe('the plans that ship', () => {
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

  it('open free calls, then included credits, then overage only for who opted in', () => {
    const builder = planOf(PLAN_BOOK, 'builder');

    expect(periodBuckets(planOf(PLAN_BOOK, 'free'), true)).toEqual([
      { source: 'free', unit: 'call', total: 25 },
    ]);
    expect(periodBuckets(builder, false).map(({ source }) => source)).toEqual(['free', 'included']);
    expect(periodBuckets(builder, true).map(({ source, total }) => [source, total])).toEqual([
      ['free', 25],
      ['included', 2000],
      ['overage', 2000],
    ]);
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
  ])('with %s are refused with the place', (_what, content, message) => {
    expect(() => parsePlanBook(content, 'plans.json')).toThrow(message);
  });
});
