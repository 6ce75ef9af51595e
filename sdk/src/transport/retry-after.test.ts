import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const asked = (value: string, date?: string) =>
  retryAfterMs(new Headers({ 'retry-after': value, ...(date ? { date } : {}) }));

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['2', 2000],
    ['120', 120_000],
  ])('reads %s seconds', (value, expected) => {
    expect(asked(value)).toBe(expected);
  });

  it('reads a date as the time since the answer, whatever the clock here says', () => {
    expect(asked('Wed, 21 Oct 2015 07:28:05 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(5000);
  });

  it('reads a date by the clock here where the answer has no date', () => {
    const inTenSeconds = asked(new Date(Date.now() + 10_000).toUTCString());

    expect(inTenSeconds).toBeGreaterThan(8_000);
    expect(inTenSeconds).toBeLessThanOrEqual(10_000);
  });

  it('waits no time for a date that has passed', () => {
    expect(asked('Wed, 21 Oct 2015 07:28:00 GMT', 'Wed, 21 Oct 2015 07:29:00 GMT')).toBe(0);
  });

  it.each(['', 'soon', '-5', '1.5', '2 s', 'May 2001', 'Someday GMT', '2026-11-20T09:00:00Z'])(
    'makes nothing of %j',
    (value) => {
      expect(asked(value)).toBeNull();
    },
  );

  it('asks for nothing where the header is absent', () => {
    expect(retryAfterMs(new Headers())).toBeNull();
    expect(retryAfterMs(new Headers())).toBeNull();
  });
});
