import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_STATUS } from '../../errors/domain-error.ts';

/** Codes that API responses show under another name. */
const WORDS: Record<string, string> = { key_paused: 'key_inactive' };

const rows = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d{3}/.test(line))
  .map((line) => line.split('|')[1] ?? '');

describe('the table of answers in docs/api.md', () => {
  it.each(Object.entries(ERROR_STATUS))('tells what to do about %s', (code, status) => {
    const word = WORDS[code] ?? code;
    expect(rows.some((row) => row.includes(`${status}`) && row.includes(`\`${word}\``))).toBe(true);
  });

  it('names no other codes', () => {
    const known = Object.keys(ERROR_STATUS).map((code) => WORDS[code] ?? code);
    const named = rows.flatMap((row) => [...row.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code));

    expect(named.filter((code) => !known.includes(code))).toEqual([]);
  });
});
