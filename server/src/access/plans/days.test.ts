import { describe, expect, it } from 'vitest';
import { addDays, isDay, requireDays } from './days.ts';

describe('days', () => {
  it.each([
    ['2026-11-30', 1, '2026-12-01'],
    ['2028-03-01', -1, '2028-02-29'],
    ['2027-01-01', -365, '2026-01-01'],
    ['2026-03-29', 1, '2026-03-30'],
  ])('%s plus %i days is %s', (day, days, sum) => {
    expect(addDays(day, days)).toBe(sum);
  });

  it('are valid dates from the year 2000 on', () => {
    for (const day of ['2000-01-01', '2028-02-29', '2999-12-31']) expect(isDay(day)).toBe(true);
    for (const day of [
      '2027-02-29',
      '2026-11-31',
      '2026-13-01',
      '2026-1-1',
      '1999-12-31',
      '0000-01-01',
      '',
    ]) {
      expect(isDay(day)).toBe(false);
    }
  });

  it('of a filter are in order, and may be equal', () => {
    expect(() => requireDays({ from: '2026-11-20', to: '2026-11-20' })).not.toThrow();
    expect(() => requireDays({ from: null, to: '2026-11-20' })).not.toThrow();
    expect(() => requireDays({ from: '2026-11-21', to: '2026-11-20' })).toThrow(/not be after/);
    expect(() => requireDays({ from: null, to: '2026-02-30' })).toThrow(/^to is a day/);
  });
});
