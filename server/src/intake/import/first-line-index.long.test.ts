import { describe, expect, it } from 'vitest';
import { contentHash, FirstLineIndex } from './first-line-index.ts';

describe('the first lines', () => {
  it('are found by any of their keys, in millions', () => {
    const lines = new FirstLineIndex();
    let unknown = 0;
    for (let line = 1; line <= 100_000; line += 1) {
      const keys = [`name ${line}`, `id ${line}`];
      if (lines.find(keys) === null) unknown += 1;
      lines.add(keys, { content: contentHash(`text ${line}`), file: line % 7, line });
    }

    expect(unknown).toBe(100_000);
    for (const line of [1, 99, 11_469, 50_000, 100_000]) {
      const first = { content: contentHash(`text ${line}`), file: line % 7, line };
      expect(lines.find([`name ${line}`])).toEqual(first);
      expect(lines.find(['unknown', `id ${line}`])).toEqual(first);
    }
    expect(lines.find(['unknown'])).toBeNull();
  });

  it('distinguish different lines from repeated ones', () => {
    expect(contentHash('{"a":1}')).toBe(contentHash('{"a":1}'));
    expect(contentHash('{"a":1}')).not.toBe(contentHash('{"a":2}'));
    expect(contentHash(null)).toBeLessThan(2 ** 48);
  });
});
