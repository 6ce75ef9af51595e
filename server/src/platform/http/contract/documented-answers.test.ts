import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_STATUS } from '../../errors/domain-error.ts';

/**
 * Codes without a row in the table: errors of commands, which no route returns, and a status with a self-explanatory
 * name.
 */
const UNTOLD = new Set(['handle_taken', 'key_limit_reached', 'uri_too_long']);
/** Codes that API responses show under another name. */
const WORDS: Record<string, string> = { key_paused: 'key_inactive' };

const rows = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d{3}/.test(line))
  .map((line) => line.split('|')[1] ?? '');

describe('the table of answers in docs/api.md', () => {
  it.each(Object.entries(ERROR_STATUS).filter(([code]) => !UNTOLD.has(code)))(
    'tells what to do about %s',
    (code, status) => {
      const word = WORDS[code] ?? code;
      expect(rows.some((row) => row.includes(`${status}`) && row.includes(`\`${word}\``))).toBe(true);
    },
  );
});
