import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';
import { EXIT_MEANINGS } from './exit-code.ts';

const page = readFileSync(new URL('../docs/command-line.md', import.meta.url), 'utf8');

it('docs/command-line.md lists the program’s exit codes', () => {
  const rows = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [
    Number(code),
    meaning,
  ]);

  expect(rows).toEqual(EXIT_MEANINGS);
});

it('docs/command-line.md lists every command', () => {
  for (const { name } of COMMANDS) expect(page).toMatch(new RegExp(`^\\| \`${name}\\b`, 'm'));
});
