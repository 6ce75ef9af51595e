import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { expect, it } from 'vitest';

const DOCUMENT = resolve('server/src/mechanisms.md');
const LINK = /\]\(([^)\s]+)\)/g;
const BENCH = /`npm run bench -- (\w+)`/g;
const FIGURE = /([\d.,]+(?: to [\d.,]+)?) (?:×|ms)/;

interface Mechanism {
  readonly name: string;
  /** Files of its code. */
  readonly files: readonly string[];
  /** Files of the tests that fail without it. */
  readonly tests: readonly string[];
  /** Parts of the bench that show its figure. */
  readonly parts: readonly string[];
  /** Figure of its row without the unit; null without a part. */
  readonly figure: string | null;
}

/** Reads the rows of the tables that name files; the last table has only what was removed. */
function readMechanisms(): Mechanism[] {
  const rows = readFileSync(DOCUMENT, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return rows.flatMap((row) => {
    const [name = '', brings = ''] = row.slice(2).split(' | ');
    const files = linksIn(name);
    const parts = [...brings.matchAll(BENCH)].map(([, part = '']) => part);
    const tests = linksIn(brings).filter((file) => file.endsWith('.test.ts'));
    const figure = parts.length > 0 ? (FIGURE.exec(brings)?.[1] ?? 'a figure') : null;
    return files.length === 0 || !files.every((file) => file.endsWith('.ts'))
      ? []
      : [{ name, files, tests, parts, figure }];
  });
}

function linksIn(cell: string): string[] {
  return [...cell.matchAll(LINK)].map(([, target = '']) => resolve(DOCUMENT, '..', target));
}

/** Returns the doc comments of a file as one line, in which a name is not broken. */
function commentsOf(file: string): string {
  const comments = readFileSync(file, 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  return comments.join(' ').replace(/\s+\*?\s*/g, ' ');
}

const mechanisms = readMechanisms();
const partsOfBench = [...readFileSync('bench/parts.mjs', 'utf8').matchAll(/\bpart\('(\w+)'/g)].map(
  ([, name]) => name,
);

it('have a test or a figure each, in files and parts of the bench that exist', () => {
  const wrong = mechanisms.flatMap(({ name, files, tests, parts }) => [
    ...(tests.length + parts.length === 0 ? [`${name}: no test and no figure`] : []),
    ...[...files, ...tests].filter((file) => !existsSync(file)).map((file) => `${name}: no file ${file}`),
    ...parts.filter((part) => !partsOfBench.includes(part)).map((part) => `${name}: no part ${part}`),
  ]);

  expect(mechanisms.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

it('name the same test and figure in the comments of their code', () => {
  const silent = mechanisms.flatMap(({ files, tests, parts, figure }) => {
    const proofs = [
      ...(figure === null ? [] : [figure]),
      ...tests.map((test) => basename(test)),
      ...parts.map((part) => `npm run bench -- ${part}`),
    ];
    return files
      .filter((file) => existsSync(file))
      .flatMap((file) => {
        const comments = commentsOf(file);
        return proofs
          .filter((proof) => !comments.includes(proof))
          .map((proof) => `${basename(file)}: ${proof}`);
      });
  });

  expect(silent).toEqual([]);
});
