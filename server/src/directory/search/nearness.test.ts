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

  it('is the largest share of the weight within five words of one text, without stop words', () => {
    expect(nearness(['The manager of every password'])).toBe(1);
    expect(nearness(['password red green blue manager'])).toBe(1);
    expect(nearness(['password red green and also blue manager'])).toBe(1);
    expect(nearness(['password red green blue black manager'])).toBe(0.75);
    expect(nearness(['managers', 'passwords'])).toBe(0.75);
    expect(nearness(['a manager managing managers'])).toBe(0.25);
    expect(nearness(['nothing', ''])).toBe(0);
    expect(nearness([])).toBe(0);
  });

  it('counts a form of several words only where they follow one another', () => {
    expect(nearness(['secret keys for managers'])).toBe(1);
    expect(nearness(['a secret and a key for managers'])).toBe(1);
    expect(nearness(['a secret red key for managers'])).toBe(0.25);
    expect(nearness(['secret'])).toBe(0);
  });

  it('is 1 for the text of the search, however many words it has', () => {
    const words = 'red green blue black white grey brown pink'.split(' ');

    expect(nearnessOf(words.map((word) => term(1, word)))([words.join(' ')])).toBe(1);
  });

  it('counts the pairs of characters of scripts without spaces', () => {
    expect(nearnessOf([term(1, '数据 据库'), term(1, '查询')])(['数据库查询'])).toBe(1);
  });
});
