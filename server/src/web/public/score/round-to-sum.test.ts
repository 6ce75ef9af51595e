import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PointsBar } from '../../components/score-figures.tsx';
import { renderMarkup } from '../../components/send-html.ts';
import { roundToSum } from './why-section.tsx';

it('never states more points than are possible, even if rounding has raised the points', () => {
  const label = renderMarkup(PointsBar({ points: 5.9, possible: 5.84, scale: 20 }));

  expect(label).toContain('aria-label="5.9 of at most 5.9 points"');
});

describe('roundToSum', () => {
  it('makes printed amounts add up to their printed sum, and changes none by more than one unit of the last decimal', () => {
    const amounts = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(amounts, (exact) => {
        const { rounded, sum } = roundToSum(exact, 2);

        const printed = rounded.reduce((total, amount) => total + Math.round(100 * amount), 0);
        expect(printed).toBe(Math.round(100 * sum));
        rounded.forEach((amount, place) => {
          expect(Math.abs(amount - (exact[place] ?? 0))).toBeLessThan(0.0100001);
        });
      }),
    );
  });

  it('leaves exact amounts as they are', () => {
    expect(roundToSum([1.25, 2.5], 2)).toEqual({ rounded: [1.25, 2.5], sum: 3.75 });
  });
});
