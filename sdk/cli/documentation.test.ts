import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMON_OPTIONS } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT_MEANINGS } from './exit-code.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const page = read('../docs/command-line.md');
const optionsIn = (text: string) => new Set(text.match(/--[a-z][a-z-]+/g) ?? []);

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

it('the pages name every option of a command, and docs/command-line.md no other', () => {
  const options = COMMANDS.flatMap((command) => Object.keys(command.options)).map((name) => `--${name}`);
  const common = Object.keys(COMMON_OPTIONS).map((name) => `--${name}`);
  const named = optionsIn([page, read('../docs/check.md'), read('../docs/mock.md')].join('\n'));

  expect([...options, ...common].filter((option) => !named.has(option))).toEqual([]);
  expect([...optionsIn(page)].filter((option) => ![...options, ...common].includes(option))).toEqual([]);
});

it('docs/check.md lists every member of a policy', () => {
  const { properties } = JSON.parse(read('../check/policy.schema.json'));
  const [, section = ''] = /\n\| member \|.*\n((?:\|.*\n)+)/.exec(read('../docs/check.md')) ?? [];
  const listed = section.split('\n').flatMap((row) => row.split(' | ')[0]?.match(/\w+(?=`)/g) ?? []);

  expect(listed.sort()).toEqual(
    Object.keys(properties)
      .filter((name) => name !== '$schema')
      .sort(),
  );
});

it('docs/command-line.md says which commands need a key', () => {
  const needing = COMMANDS.map(({ name }) => name).filter((name) =>
    read(`./commands/${name}.ts`).includes('clientWithKey()'),
  );
  const [, sentence = ''] = /Only (`[^.]+) need a key\./.exec(page) ?? [];

  expect([...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(needing.sort());
});
