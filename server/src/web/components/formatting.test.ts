import fc from 'fast-check';
import { expect, it } from 'vitest';
import { agesStableForMs, formatAge } from './formatting.tsx';

const DAY_MS = 86_400_000;
const at = (ms: number) => new Date(ms).toISOString();

it.each([
  [60, '60 days ago'],
  [61, '2 months ago'],
  [118, '3 months ago'],
  [729, '23 months ago'],
  [730, '2 years ago'],
  [1_094, '2 years ago'],
  [1_095, '3 years ago'],
])('formats an age of %i days in whole units: %s', (days, expected) => {
  expect(formatAge(at(0), at(days * DAY_MS))).toBe(expected);
});

it('agesHoldForMs is exact, and never more than a day', () => {
  const moment = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2027-01-01') });
  fc.assert(
    fc.property(fc.array(moment, { minLength: 1, maxLength: 5 }), moment, (moments, now) => {
      const told = (when: number) => moments.map((each) => formatAge(at(each), at(when)));
      const holdMs = agesStableForMs(moments.map(at), at(now));

      expect(holdMs).toBeGreaterThan(0);
      expect(holdMs).toBeLessThanOrEqual(DAY_MS);
      expect(told(now + holdMs - 1)).toEqual(told(now));
    }),
  );
  const yesterday = at(Date.parse('2026-11-21T10:00:00Z'));
  expect(agesStableForMs([yesterday], '2026-11-22T09:59:59.000000Z')).toBe(1_000);
  expect(formatAge(yesterday, '2026-11-22T09:59:59.999Z')).toBe('today');
  expect(formatAge(yesterday, '2026-11-22T10:00:00.000Z')).toBe('1 day ago');
  expect(agesStableForMs([], at(0))).toBe(Number.POSITIVE_INFINITY);
});
