import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../history.ts';
import { firstReceiptAfter, longestGapMs, untold } from './outage.ts';

const replay = (invokedAt: number, endedAt: number): CallRecord => ({
  ...call('ok', invokedAt, endedAt),
  body: { idempotent: true },
});
const call = (outcome: CallRecord['outcome'], invokedAt: number, endedAt: number): CallRecord => ({
  accountId: 'a',
  idempotencyKey: `${invokedAt}`,
  subject: 's',
  invokedAt,
  endedAt,
  outcome,
  status: 0,
  body: {},
});

describe('longestGapMs', () => {
  it('is the longest time without a receipt, whatever else was answered in it', () => {
    const calls = [
      call('ok', 0, 110),
      call('ok', 0, 900),
      call('info', 200, 500),
      call('fail', 200, 600),
      replay(200, 700),
      call('ok', 100, 150),
    ];

    expect(longestGapMs(calls, 100, 1_000)).toBe(750);
  });

  it('counts from the fault and up to the end, where no receipt is near them', () => {
    expect(longestGapMs([call('ok', 0, 300)], 0, 400)).toBe(300);
    expect(longestGapMs([call('ok', 0, 100)], 0, 400)).toBe(300);
    expect(longestGapMs([], 0, 400)).toBe(400);
  });

  it('leaves out what was told before the fault', () => {
    expect(longestGapMs([call('ok', 0, 90), call('ok', 0, 160)], 100, 200)).toBe(60);
  });
});

describe('untold', () => {
  it('are the calls of the time that came to nothing', () => {
    const calls = [
      call('info', 99, 300),
      call('info', 100, 300),
      call('ok', 120, 130),
      call('info', 200, 210),
    ];

    expect(untold(calls, 100, 200)).toEqual([calls[1]]);
  });
});

describe('firstReceiptAfter', () => {
  it('is of a call that began since', () => {
    const calls = [
      call('ok', 90, 110),
      call('info', 110, 120),
      replay(110, 130),
      call('ok', 105, 150),
      call('ok', 120, 140),
    ];

    expect(firstReceiptAfter(calls, 100)).toBe(140);
  });

  it('is not there yet', () => {
    expect(firstReceiptAfter([call('ok', 90, 110), call('info', 101, 120)], 100)).toBeNull();
  });
});
