import { describe, expect, it } from 'vitest';
import { listNames, printable } from './list-names.ts';

describe('names of a request that an answer repeats', () => {
  it('are all listed, up to ten', () => {
    expect(listNames(['page'])).toBe('"page"');
    expect(listNames([...'abcdefghij'])).toBe('"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"');
  });

  it('are limited to the first ten, with the number of the others', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`);

    const text = listNames(names);

    expect(text).toMatch(/^"p0", "p1", .*"p9" and 1990 more$/);
    expect(text.length).toBeLessThan(100);
  });

  it('are shortened and well-formed', () => {
    expect(printable('x'.repeat(60))).toBe(`"${'x'.repeat(40)}…"`);
    expect(printable('a"b\ud800')).toBe('"a\\"b\ufffd"');
    expect(printable(`${'x'.repeat(39)}🙂y`)).toBe(`"${'x'.repeat(39)}\ufffd…"`);
  });
});
