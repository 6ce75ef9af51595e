import { describe, expect, it } from 'vitest';
import { countReject, emptyCounts, summaryLines } from './import-summary.ts';

function summaryOf(rejected: readonly string[]) {
  const counts = emptyCounts();
  counts.kinds.listing = {
    read: 1200 + rejected.length,
    added: 1000,
    changed: 150,
    unchanged: 50,
    rejected: 0,
  };
  for (const reason of rejected) countReject(counts, 'listing', reason);
  return { ...counts, finished: true, resumed: false, scored: 1150, rejectsPath: null, seconds: 2.34 };
}

describe('summaryLines', () => {
  it('shows that the counts of each kind add up', () => {
    expect(summaryLines(summaryOf([]))).toEqual([
      'listings: 1,200 read = 1,000 added, 150 changed, 50 unchanged, 0 rejected',
      'creators: 0 read = 0 added, 0 changed, 0 unchanged, 0 rejected',
      'artifacts: 0 read = 0 added, 0 changed, 0 unchanged, 0 rejected',
      'relations: 0 read = 0 added, 0 changed, 0 unchanged, 0 rejected',
      '1,150 scores recorded in 2.3 s.',
    ]);
  });

  it('shows each reason once, the most frequent first and without positions', () => {
    const lines = summaryLines(
      summaryOf(['name: is missing', 'the same (a, line 1)', 'the same (a, line 2)']),
    );

    expect(lines.slice(4, 6)).toEqual(['  2 × the same', '  1 × name: is missing']);
  });

  it('stays short for any content of a file', () => {
    const reasons = Array.from({ length: 5000 }, (_, index) => `field${index}: contains a control character`);
    const summary = summaryOf(reasons);

    expect(summaryLines(summary).length).toBeLessThan(30);
    expect(Object.keys(summary.reasons).length).toBeLessThanOrEqual(101);
    expect(Object.values(summary.reasons).reduce((sum, count) => sum + count, 0)).toBe(5000);
  });

  it('counts a reason in linear time', () => {
    const { user } = process.cpuUsage();

    const summary = summaryOf([`${' ('.repeat(2 ** 17)}: contains a control character`]);

    expect(Object.keys(summary.reasons)).toHaveLength(1);
    expect(process.cpuUsage().user - user).toBeLessThan(3_000_000);
  });

  it('says how to continue after an interruption', () => {
    expect(summaryLines({ ...summaryOf([]), finished: false }).at(-1)).toMatch(/^Interrupted/);
  });
});
