import { describe, expect, it } from 'vitest';
import { rate } from './figures.ts';
import { atLeast, atMost, drawTable } from './table.ts';

const compared = { work: 'detail', against: 'bare', one: 60, other: 100, unit: rate };

describe('the target of a line', () => {
  it('is a ratio at least, and met on the line itself', () => {
    expect(atLeast(compared, 0.6)).toMatchObject({
      measured: '0.60 × (60/s, 100/s)',
      target: '≥ 0.6 ×',
      met: true,
    });
    expect(atLeast(compared, 0.61).met).toBe(false);
  });

  it('is a ratio at most', () => {
    expect(atMost(compared, 0.6)).toMatchObject({ target: '≤ 0.6 ×', met: true });
    expect(atMost(compared, 0.59).met).toBe(false);
  });

  it('is a bound besides, which a good ratio alone does not meet', () => {
    expect(atMost(compared, 2, 60)).toMatchObject({ target: '≤ 2 ×, ≤ 60/s', met: true });
    expect(atMost(compared, 2, 59).met).toBe(false);
  });

  it('is nothing where one side was not measured', () => {
    expect(() => atLeast({ ...compared, other: 0 }, 1)).toThrow('no ratio');
    expect(() => atLeast({ ...compared, one: Number.NaN }, 1)).toThrow('no ratio');
  });
});

it('is drawn as Markdown, each column as wide as its widest cell', () => {
  const lines = [
    { work: 'a', against: 'x|y', measured: '1', target: '≥ 2 ×', met: false },
    { work: 'a longer one', against: '', measured: '1', target: '', met: true },
  ];

  expect(drawTable(lines).split('\n')).toEqual([
    '| work         | against | measured | target | met? |',
    '|--------------|---------|----------|--------|------|',
    '| a            | x\\|y    | 1        | ≥ 2 ×  | no   |',
    '| a longer one |         | 1        |        | yes  |',
  ]);
});
