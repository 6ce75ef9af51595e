import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/cli/program.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const PARTS = readdirSync(new URL('../docs/', import.meta.url)).map((name) => `docs/${name}`);
/** Number of words that take about five minutes to read. */
const MOST_WORDS = 1_300;

/** Returns the full names of a program's commands that have no commands of their own. */
function namesOf(command: Command, path: readonly string[] = []): string[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  if (children.length === 0) return [path.join(' ')];
  return children.flatMap((child) => namesOf(child, [...path, child.name()]));
}

/** Returns the commands of a document's tables: the words before arguments and options in the first column. */
function commandsIn(text: string): string[] {
  const [, section = ''] = /\n## Commands\n([\s\S]*?)(?:\n## |$)/.exec(text) ?? [];
  const cells = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = '']) => cell);
  return cells.map((cell) => /^[a-z-]+(?: [a-z-]+)*/.exec(cell)?.[0].replace(/ -.*$/, '') ?? cell);
}

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
    const documented = PARTS.flatMap((part) => commandsIn(read(part)));

    expect(documented.sort()).toEqual(namesOf(createProgram()).sort());
  });
});
