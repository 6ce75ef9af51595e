import { describe, expect, it } from 'vitest';
import { activityStableForMs, formatActivity } from './activity.ts';

const NOW = '2026-11-20T09:00:00.000000Z';
const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * DAY);

describe('how lately a repository was worked on', () => {
  it.each([
    [-3, 'active this week'],
    [0, 'active this week'],
    [6.9, 'active this week'],
    [7, 'active this month'],
    [30, 'last commit a month ago'],
    [61, 'last commit 2 months ago'],
    [364, 'last commit 11 months ago'],
    [364.9, 'last commit a year ago'],
    [729, 'last commit a year ago'],
    [731, 'last commit 2 years ago'],
  ])('%d days ago is told as %s', (days, text) => {
    expect(formatActivity(daysAgo(days), NOW)).toBe(text);
  });

  it.each([-3, 0, 6.5, 7, 29, 30, 45, 60.9, 100, 350, 364.9, 400, 729.5, 1_000])(
    'in the same words until the moment that is told, and in others from then on, of %d days',
    (days) => {
      const at = daysAgo(days);
      const holds = activityStableForMs([at], NOW);
      const later = (ms: number) => formatActivity(at, new Date(Date.parse(NOW) + ms).toISOString());

      expect(later(holds - 2_000)).toBe(formatActivity(at, NOW));
      expect(later(holds + 2_000)).not.toBe(formatActivity(at, NOW));
    },
  );

  it('stays the same until the first of several changes, and forever for none', () => {
    expect(activityStableForMs([daysAgo(1), daysAgo(6)], NOW)).toBe(DAY);
    expect(activityStableForMs([], NOW)).toBe(Number.POSITIVE_INFINITY);
  });
});
