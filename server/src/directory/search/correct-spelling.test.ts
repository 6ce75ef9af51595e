import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance, editsWithinOne } from './correct-spelling.ts';

it.each([
  ['langgrph', 'langgraph', 1],
  ['sginoz', 'signoz', 1],
  ['cladue', 'claude', 1],
  ['pmyarl', 'pymarl', 1],
  ['chekov', 'chekov', 0],
  ['codexxpro', 'codexpro', 1],
  ['kitten', 'sitting', 3],
])('counts edits: %s for %s', (one, other, slips) => {
  expect(editDistance(one, other, 5)).toBe(slips);
});

it('is symmetric, and exceeds the maximum for distant words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(9), (one, other, most) => {
      const whole = editDistance(one, other, 99);
      expect(editDistance(other, one, 99)).toBe(whole);
      const bounded = editDistance(one, other, most);
      expect(bounded > most ? most + 1 : bounded).toBe(Math.min(whole, most + 1));
    }),
  );
});

it('generates exactly the words one edit away', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'z', '7'), minLength: 2, maxLength: 7 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(editsWithinOne(one).includes(other)).toBe(editDistance(one, other, 2) === 1);
    }),
  );
  for (const near of editsWithinOne('claude')) expect(editDistance('claude', near, 2)).toBe(1);
  expect(editsWithinOne('codxepro')).toContain('codexpro');
});
