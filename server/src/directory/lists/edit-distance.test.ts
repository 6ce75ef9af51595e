import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance, oneSlipFrom } from './edit-distance.ts';

it.each([
  ['langgrph', 'langgraph', 1],
  ['sginoz', 'signoz', 1],
  ['cladue', 'claude', 1],
  ['pmyarl', 'pymarl', 1],
  ['chekov', 'chekov', 0],
  ['codexxpro', 'codexpro', 1],
  ['kitten', 'sitting', 3],
])('counts slips: %s for %s', (one, other, slips) => {
  expect(editDistance(one, other, 5)).toBe(slips);
});

it('is the same both ways, and more than what is looked for where it is further', () => {
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

it('names every word that is one slip away, and no other', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'z', '7'), minLength: 2, maxLength: 7 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(oneSlipFrom(one).includes(other)).toBe(editDistance(one, other, 2) === 1);
    }),
  );
  for (const near of oneSlipFrom('claude')) expect(editDistance('claude', near, 2)).toBe(1);
  expect(oneSlipFrom('codxepro')).toContain('codexpro');
});
