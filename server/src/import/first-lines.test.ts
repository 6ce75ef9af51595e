import { describe, expect, it } from 'vitest';
import { contentOf, FirstLines } from './first-lines.ts';

describe('the first lines', () => {
  it('are found again, each by any of its keys, however many there are', () => {
    const lines = new FirstLines();
    let unknown = 0;
    for (let line = 1; line <= 100_000; line += 1) {
      const keys = [`name ${line}`, `id ${line}`];
      if (lines.find(keys) === null) unknown += 1;
      lines.add(keys, { content: contentOf(`text ${line}`), file: line % 7, line });
    }

    expect(unknown).toBe(100_000);
    for (const line of [1, 99, 11_469, 50_000, 100_000]) {
      const first = { content: contentOf(`text ${line}`), file: line % 7, line };
      expect(lines.find([`name ${line}`])).toEqual(first);
      expect(lines.find(['unknown', `id ${line}`])).toEqual(first);
    }
    expect(lines.find(['unknown'])).toBeNull();
  });

  it('tell what a line says from what another does', () => {
    expect(contentOf('{"a":1}')).toBe(contentOf('{"a":1}'));
    expect(contentOf('{"a":1}')).not.toBe(contentOf('{"a":2}'));
    expect(contentOf(null)).toBeLessThan(2 ** 48);
  });
});
