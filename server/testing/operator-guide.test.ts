import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/cli/program.ts';
import { loadConfig } from '../src/platform/config/load-config.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const PARTS = readdirSync(new URL('../docs/', import.meta.url)).map((name) => `docs/${name}`);
/** Number of words that take about five minutes to read. */
const MOST_WORDS = 1_300;

/** Returns the commands of a program that have no commands of their own, with their full names. */
function commandsOf(command: Command, path: readonly string[] = []): (readonly [name: string, Command])[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  if (children.length === 0) return [[path.join(' '), command]];
  return children.flatMap((child) => commandsOf(child, [...path, child.name()]));
}

/**
 * Returns the commands of a document's tables, which are the words before arguments and options in the first column,
 * with the options that their rows name.
 */
function commandsIn(text: string): (readonly [name: string, options: readonly string[]])[] {
  const [, section = ''] = /\n## Commands\n([\s\S]*?)(?:\n## |$)/.exec(text) ?? [];
  return [...section.matchAll(/^\| `([^`]+)` \|.*/gm)].map(([row, cell = '']) => [
    /^[a-z-]+(?: [a-z-]+)*/.exec(cell)?.[0].replace(/ -.*$/, '') ?? cell,
    row.match(/--[a-z-]+/g) ?? [],
  ]);
}

/** Returns the background jobs of the server with their periods in milliseconds, as its source schedules them. */
function scheduledJobs(): [name: string, periodMs: number][] {
  const sources = [
    'services.ts',
    'serve.ts',
    'intake/refresh/refresh-run.ts',
    'platform/database/advisory-lock.ts',
  ];
  const text = sources.map((path) => read(`src/${path}`)).join('\n');
  const constants = [...text.matchAll(/\bconst (\w+_MS) = ([\d_]+);/g)].map(
    ([, name = '', value = '']) => [name, Number(value.replaceAll('_', ''))] as const,
  );
  const periods = new Map([...constants, ['reaperMs', loadConfig({}).timings.reaperMs] as const]);
  const calls = [
    ...text.matchAll(/\bevery\((?<period>\w+), '(?<name>[^']+)'/g),
    ...text.matchAll(/\bschedule\('(?<name>[^']+)', (?<period>\w+)/g),
  ];
  return calls.map(({ groups: { name = '', period = '' } = {} }) => [
    name,
    periods.get(period) ?? Number.NaN,
  ]);
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000 };

describe("the operator's guide", () => {
  it.each(PARTS)('%s can be read in five minutes', (part) => {
    const words = read(part)
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word));

    expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
  });

  it('has all its parts linked from the README of the server', () => {
    for (const part of PARTS) expect(read('README.md')).toContain(`](${part})`);
  });

  it('documents every command exactly once', () => {
    const documented = PARTS.flatMap((part) => commandsIn(read(part)).map(([name]) => name));

    expect(documented.sort()).toEqual(
      commandsOf(createProgram())
        .map(([name]) => name)
        .sort(),
    );
  });

  it('names only options that a command has, and every option that it requires', () => {
    const commands = new Map(commandsOf(createProgram()));
    const rows = PARTS.flatMap((part) => commandsIn(read(part)));
    const wrong = rows.flatMap(([name, named]) => {
      const own = commands.get(name)?.options ?? [];
      const unknown = named.filter((option) => !own.some(({ long }) => long === option));
      const missing = own.filter(({ mandatory, long }) => mandatory && !named.includes(long ?? ''));
      return [...unknown, ...missing.map(({ long }) => long)].map((option) => `${name} ${option}`);
    });

    expect(wrong).toEqual([]);
  });

  it('lists every background job with its period', () => {
    const [, section = ''] = /\n## Background jobs\n([\s\S]*?)\n## /.exec(read('docs/operate.md')) ?? [];
    const rows = [...section.matchAll(/^\| `([^`]+)` \| .+ \| (\d+) (s|min) \|$/gm)];
    const documented = rows.map(([, name, count, unit = '']) => [name, Number(count) * (UNIT_MS[unit] ?? 0)]);

    expect(documented.sort()).toEqual(scheduledJobs().sort());
  });
});
