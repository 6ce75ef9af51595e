import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';
import { EXIT_MEANINGS } from './exit-code.ts';

const page = readFileSync(new URL('../docs/command-line.md', import.meta.url), 'utf8');

it('the page on the command line lists every exit code as the program does', () => {
  const rows = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [
    Number(code),
    meaning,
  ]);

  expect(rows).toEqual(EXIT_MEANINGS);
});

it('the page on the command line lists every command', () => {
  for (const { name } of COMMANDS) expect(page).toMatch(new RegExp(`^\\| \`${name}\\b`, 'm'));
});
