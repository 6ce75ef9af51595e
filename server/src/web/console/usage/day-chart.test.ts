import { describe, expect, it } from 'vitest';
import { fillDays, roundUpScale } from './day-chart.tsx';

const none = { settledCalls: 0, failedCalls: 0, heldCalls: 0, credits: 0, freeCalls: 0 };

describe('the days of a chart', () => {
  it('are complete, also without calls and across months, with the calls of each operation', () => {
    const days = [
      { ...none, day: '2026-02-28', operation: 'agent_score', settledCalls: 2, failedCalls: 1 },
      { ...none, day: '2026-02-28', operation: 'skill_score', settledCalls: 3, heldCalls: 4 },
    ];

    expect(fillDays({ from: '2026-02-27', to: '2026-03-01', days })).toEqual([
      { day: '2026-02-27', calls: new Map(), failed: 0 },
      {
        day: '2026-02-28',
        calls: new Map([
          ['agent_score', 2],
          ['skill_score', 7],
        ]),
        failed: 1,
      },
      { day: '2026-03-01', calls: new Map(), failed: 0 },
    ]);
  });
});

describe('the scale of a chart', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 5],
    [6, 10],
    [10, 10],
    [11, 20],
    [99, 100],
    [100, 100],
    [1_001, 2_000],
    [987_654, 1_000_000],
  ])('ends for %i calls with %i', (calls, end) => {
    expect(roundUpScale(calls)).toBe(end);
  });
});
