import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { breachesOfDocComments } from './doc-comments.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['*.ts', '*.tsx', '*.mts', '*.js', '*.mjs', '*.cjs'];
/** Generated files, and recordings of published releases. */
const NOT_WRITTEN_HERE = /\/generated\/|^sdk\/compatibility\//;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

it('every doc comment says in a sentence what the code does or is', () => {
  const listed = execFileSync('git', ['ls-files', '--', ...SOURCES], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.split('\n').filter((file) => file !== '' && !NOT_WRITTEN_HERE.test(file));

  const breaches = files.flatMap((file) =>
    breachesOfDocComments(file, read(file)).map(
      ({ line, comment, rule }) => `${file}:${line}: ${rule}: ${comment}`,
    ),
  );

  expect(breaches).toEqual([]);
  expect(files.length).toBeGreaterThan(1000);
});

describe('the rules of doc comments', () => {
  it.each([
    'server/src/platform/batching/batcher.ts',
    'server/src/web/components/layout.tsx',
    'bench/load.mjs',
  ])('are applied to each doc comment of %s', (path) => {
    const text = read(path);
    const begins = /^\s*\/\*\*(?:\n *\*)? (?=\w)/gm;

    const mutated = text.replace(begins, '$&Whether ');

    expect(breachesOfDocComments(path, text)).toEqual([]);
    expect(breachesOfDocComments(path, mutated)).toHaveLength(text.match(begins)?.length ?? 0);
  });

  it.each([
    ['/** What somebody may wait for: more is left to the background. */\nconst MAX = 5;', 'begin with'],
    ['/** Whether a value fits the schema. */\nconst fits = true;', 'begin with'],
    ['/** Only for a process that hangs. */\nconst TIMEOUT_MS = 1;', 'begin with'],
    ['/** So small that nothing can be read from it. */\nconst TINY = 1;', 'begin with'],
    ['interface A {\n  /** Of this page; null on the first. */\n  cursor: string;\n}', 'begin with'],
    [
      'interface A {\n  but: {\n    /** … with nothing left to pay with. */\n    empty(): void;\n  };\n}',
      'begin with',
    ],
    ['type A =\n  /** How the index is used for all matches. */\n  | 1;', 'begin with'],
    ['/** kill -9 of every process of the cluster. */\nfunction kill() {}', 'begin with'],
    ['/** The median of an odd number of values. */\nfunction middle() {}', 'verb'],
    ['/** Rows of a table that were read. */\nasync function rowsRead() {}', 'verb'],
    ['/** Items with these ids in order. */\nconst items = () => [];', 'verb'],
    ['/** Scores of the listings by id. */\nexport const scores = async () => [];', 'verb'],
    ['class A {\n  /** A link of a new account. */\n  link() {}\n}', 'verb'],
    ['/** Return the rows of a table. */\nfunction rows() {}', 'verb'],
    ['/** Options of a longer run */\nconst OPTIONS = {};', 'full stop'],
    ['/**\n * Draws the table of all rounds:\n *\n * a, b and c.\n */\nfunction draw() {}', 'full stop'],
    ['/** Kinds of row. */\nconst KINDS = [];', '4 words'],
    ['/** Reads one repository. */\nfunction readOne() {}', '4 words'],
    ['/** Reads the open runs of accounts. */\nfunction readOpenRunsOfAccounts() {}', 'more than the name'],
    ['/** Account that bears the old handle. */\nconst account = 1;', 'words of today'],
    ['/** Handle that somebody else gave up. */\nconst handle = 1;', 'words of today'],
    ['/** @internal Sends every request. */\nconst send = 1;', '4 words'],
  ])('refuse %j', (text, rule) => {
    expect(breachesOfDocComments('a.ts', text)).toEqual([
      expect.objectContaining({ rule: expect.stringContaining(rule) }),
    ]);
  });

  it.each([
    '/** Options of a recompute. */\ninterface Options {}',
    '/** Lifetime of an attempt, in minutes. */\nconst LIFETIME = 5;',
    '/** Batches items that arrive while a statement is in flight. */\nexport function batch() {}',
    '/** Re-queues items at the front of their partitions. */\nconst requeue = (items: string[]) => items;',
    '/**\n * Reads the session: account and expiry.\n *\n * @example\n * const account = read();\n */\nfunction read() {}',
    '/** Batches items in order.\n *\n * `createBatcher({ run })`\n */\nfunction batch() {}',
    '/** In-memory model of the ledger. */\nconst model = 1;',
    '/** `owner/name` of deleted repositories. */\nconst deleted = [];',
    '/** 404 text for people. */\nconst text = "x";',
    '/** @internal Sends every request of the client. */\nconst send = 1;',
    '/** @type {import("a").B} */\nconst b = 1;',
    '/** Handle of the account `somebody`. */\nconst handle = 1;',
    'const glob = "contracts/**/*.ts"; // */',
    'const text = `/** Whether */`;',
    'const pattern = /\\/** What/;',
    '/* What is not a doc comment. */',
    '// Whether it is one line.',
  ])('let pass %j', (text) => {
    expect(breachesOfDocComments('a.ts', text)).toEqual([]);
  });
});
