import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  faultsOfModule,
  faultsOfNames,
  moduleOf,
  type Repository,
  tablesIn,
  tablesOf,
  wordsOf,
} from './module-readmes.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAX_LINES = 80;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const readmes = files.filter((path) => /^server\/src\/.*README\.md$/.test(path));
const ofModules = readmes.filter((path) => /^server\/src\/[^/]+\/README\.md$/.test(path));
const repository = readRepository();

function readRepository(): Repository {
  const product = files.filter((path) => /^server\/src\/.*(?<!\.test|\.test-d)\.tsx?$/.test(path));
  const schema = read('server/schema.sql');
  const code = new Map(
    files.filter((path) => /\.(?:tsx?|mjs|cjs)$/.test(path)).map((path) => [path, read(path)]),
  );
  const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return {
    code,
    paths: new Set([...files, ...files.flatMap(foldersOf)]),
    sources: new Map(product.map((path) => [path, withoutComments(read(path))])),
    tables: tablesOf(schema),
    vocabulary: wordsOf([...code.values(), read('openapi.yaml'), schema]),
  };
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

describe('every module of the server', () => {
  it(`has a README of at most ${MAX_LINES} lines`, () => {
    const modules = new Set(files.filter((path) => /^server\/src\/[^/]+\//.test(path)).map(moduleOf));
    modules.delete('generated');

    expect(modules.size).toBe(13);
    expect(ofModules.map(moduleOf)).toEqual([...modules].sort());
    expect(ofModules.filter((path) => read(path).trimEnd().split('\n').length > MAX_LINES)).toEqual([]);
  });

  it('is described as it is: files, functions, tables with their writers, and the modules it uses', () => {
    const faults = ofModules.flatMap((path) =>
      faultsOfModule(path, read(path), repository).map((fault) => `${path}: ${fault}`),
    );

    expect(faults).toEqual([]);
  });

  it('owns its tables alone, and each table has an owner', () => {
    const owned = ofModules.flatMap((path) => tablesIn(read(path)));

    expect(owned.sort()).toEqual([...repository.tables].sort());
  });
});

/** Documents for operators, and about tests, benchmarks and deployment. */
const OTHERS =
  /^(?:server\/(?:README|docs\/.*)|ops\/.*|(?:bench|contract-tests|examples|sdk\/compatibility|torture)\/README)\.md$/;

describe('every other document about the code', () => {
  it.each([
    'CONTRIBUTING.md',
    ...readmes.filter((path) => !ofModules.includes(path)),
    ...files.filter((path) => OTHERS.test(path)),
  ])('%s names files and functions that exist', (path) => {
    expect(faultsOfNames(path, read(path), repository)).toEqual([]);
  });
});

describe('the comparison', () => {
  const path = 'server/src/operations/README.md';

  it.each([
    ['a README without changes', /$^/, '', []],
    ['a file that does not exist', /`call-limiter\.ts`/, '`room.ts`', 'there is no room.ts'],
    ['a function of another file', /`runOperation`/, '`loadFacts`', 'loadFacts is in none of the files'],
    ['a function that nobody exports', /`createCallLimiter`/, '`requireCapacity`', 'does not export'],
    ['a broken link', /\]\([^)]+\)/, '](../nowhere.md)', 'there is no ../nowhere.md to link to'],
    ['a module that it does not use', /^- `billing\/`/m, '- `web/`, `billing/`', 'it uses access'],
    [
      'a table that does not exist',
      /^## Uses/m,
      '## Tables\n\n| a | b | c |\n|---|---|---|\n| `usage` | x | – |\n\n## Uses',
      'there is no table usage',
    ],
    [
      'a table that others write, too',
      /^## Uses/m,
      '## Tables\n\n| a | b | c |\n|---|---|---|\n| `creator` | x | `catalog/` |\n\n## Uses',
      'creator is also written by catalog, ownership, not by catalog',
    ],
  ] as const)('finds %s', (_what, from, to, fault) => {
    const faults = faultsOfModule(path, read(path).replace(from, to), repository);

    if (typeof fault === 'string') expect(faults).toContainEqual(expect.stringContaining(fault));
    else expect(faults).toEqual(fault);
  });

  it('finds tables and views in a schema', () => {
    const schema =
      'CREATE TABLE a (\n  id int\n);\nCREATE INDEX b ON a (id);\nCREATE UNLOGGED TABLE c (\n  id int\n);\nCREATE VIEW d AS\n SELECT 1;';

    expect([...tablesOf(schema)]).toEqual(['a', 'c', 'd']);
  });
});
