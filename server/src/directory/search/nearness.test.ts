import { describe, expect, it } from 'vitest';
import { nearnessOf } from './nearness.ts';
import type { WeightedTerm } from './search-term.ts';

/** Returns a term with forms, each a text of words. */
function term(weight: number, ...forms: string[]): WeightedTerm {
  return {
    word: forms[0] ?? '',
    forms: forms.map((form) => form.split(' ')),
    weight,
  } as unknown as WeightedTerm;
}

const PASSWORD = term(3, 'password', 'secret key');
const MANAGERS = term(1, 'managers');

describe('nearness', () => {
  const nearness = nearnessOf([PASSWORD, MANAGERS]);

  it('is the largest share of the weight that stands within six words of one text', () => {
    expect(nearness(['The manager of every password'])).toBe(1);
    expect(nearness(['password one two three four manager'])).toBe(1);
    expect(nearness(['password one two three four five manager'])).toBe(0.75);
    expect(nearness(['managers', 'passwords'])).toBe(0.75);
    expect(nearness(['a manager managing managers'])).toBe(0.25);
    expect(nearness(['nothing', ''])).toBe(0);
    expect(nearness([])).toBe(0);
  });

  it('counts a form of several words only where they follow one another', () => {
    expect(nearness(['secret keys for managers'])).toBe(1);
    expect(nearness(['a secret and a key for managers'])).toBe(0.25);
    expect(nearness(['secret'])).toBe(0);
  });

  it('counts the pairs of characters of scripts without spaces', () => {
    expect(nearnessOf([term(1, '数据 据库'), term(1, '查询')])(['数据库查询'])).toBe(1);
  });
});
