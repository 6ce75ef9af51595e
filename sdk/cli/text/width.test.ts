import { expect, it } from 'vitest';
import { padded, widthOf, wrap } from './width.ts';

it.each([
  ['agent', 5],
  ['信頼', 4],
  ['🦊', 2],
  ['e\u0301', 1],
  ['└─ ', 3],
  ['', 0],
])('%j takes %d columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

it('breaks between words, and within a word only if it is longer than a line', () => {
  expect(wrap('who made this agent', 9)).toEqual(['who made', 'this', 'agent']);
  expect(wrap('see https://github.com/a/b now', 12)).toEqual(['see', 'https://gith', 'ub.com/a/b', 'now']);
  expect(wrap('信頼信頼', 4)).toEqual(['信頼', '信頼']);
  expect(wrap('', 10)).toEqual(['']);
  expect(wrap('one line', Number.POSITIVE_INFINITY)).toEqual(['one line']);
});

it('never exceeds the width', () => {
  const text = 'Größe 信頼信頼信頼 🦊🦊🦊 https://example.com/a-very-long-path/with/parts';
  for (let columns = 2; columns < 40; columns += 1) {
    for (const line of wrap(text, columns)) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  }
});

it('pads by columns, not by characters', () => {
  expect(padded('信', 4)).toBe('信  ');
  expect(padded('long', 2)).toBe('long');
});
