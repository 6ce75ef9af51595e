import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryFolder } from '../../server/testing/memory-folder.ts';
import { collectItems } from './collect-items.ts';

/** One folder more than the maximum that `check` searches. */
const FOLDERS = 20_001;

let folder: string;

const collect = () => collectItems([folder], { folder, home: folder, environment: {}, mirrors: [] });
const write = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};

beforeEach(() => {
  folder = mkdtempSync(join(memoryFolder(), 'many-folders-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('says which folders it did not search, so that a check cannot pass without them', () => {
  writeFileSync(join(folder, 'requirements.txt'), 'requests==2.32.3\n');
  for (let count = 0; count < FOLDERS; count += 1) mkdirSync(join(folder, String(count).padStart(5, '0')));

  const { items, problems } = collect();

  expect(items.map(({ name }) => name)).toEqual(['pypi:requests']);
  expect(problems.map(({ file }) => file)).toEqual(['19999', '20000']);
  expect(problems[0]?.message).toContain('more than 20000 folders');
});

it('reads no UTF-16, in which pip would install what is not seen here', () => {
  writeFileSync(join(folder, 'requirements.txt'), Buffer.from('\uFEFFidna==3.10\n', 'utf16le'));
  writeFileSync(join(folder, 'yarn.lock'), Buffer.from('\uFEFFa@1:\n  version "1"\n', 'utf16le'));

  const { items, problems } = collect();

  expect(items).toEqual([]);
  expect(problems).toEqual([
    { file: 'requirements.txt', message: "It can't be read: it is no text in UTF-8." },
    { file: 'yarn.lock', message: "It can't be read: it is no text in UTF-8." },
  ]);
});

it('follows links to lock files within the folder, as package managers do, and reports all others', () => {
  write({
    'kept.json': '{"packages": {"node_modules/a": {"version": "1.0.0"}}}',
    'requirements.txt': 'idna==3.10',
  });
  mkdirSync(join(folder, 'inner'));
  symlinkSync('kept.json', join(folder, 'package-lock.json'));
  symlinkSync('/etc/hostname', join(folder, 'inner', 'requirements.txt'));
  symlinkSync('nothing', join(folder, 'yarn.lock'));

  const { items, problems } = collect();

  expect(items.map(({ label, file }) => [label, file])).toEqual([
    ['npm:a@1.0.0', 'package-lock.json'],
    ['pypi:idna==3.10', 'requirements.txt'],
  ]);
  expect(problems).toEqual([
    { file: 'yarn.lock', message: "It can't be read (ENOENT)." },
    { file: 'inner/requirements.txt', message: expect.stringContaining('outside the checked folders') },
  ]);
});

it('reads what is required in full, and of other constraints the addresses only', () => {
  write({
    'requirements-dev.txt': '-c requirements.txt\n-c pins\n-r base\na==1.0',
    'requirements.txt': 'b==1.0',
    base: 'c==1.0',
    pins: 'a==1.0\nd @ https://evil.example/d.whl',
  });

  expect(collect().items.map(({ label }) => label)).toEqual([
    'pypi:a==1.0',
    'pypi:b==1.0',
    'pypi:c==1.0',
    'pypi:d',
  ]);
});

it.each<[string, Record<string, string>]>([
  ['uv.toml', { 'uv.toml': '[[index]]\nurl = "https://pypi.corp.example/simple"' }],
  [
    'pyproject.toml',
    { 'pyproject.toml': '[tool.uv.pip]\nextra-index-url = ["https://pypi.corp.example/simple"]' },
  ],
  [
    'a constraints file',
    { 'requirements.txt': 'a==1.0\n-c c', c: '--extra-index-url https://pypi.corp.example/' },
  ],
  [
    '.yarnrc',
    { '.npmrc': 'registry=https://registry.npmjs.org/', '.yarnrc': 'registry "https://npm.corp.example"' },
  ],
  ['.yarnrc, by scope', { '.yarnrc': '"@s:registry" "https://npm.corp.example"' }],
  ['pnpm-workspace.yaml', { 'pnpm-workspace.yaml': 'registries:\n  "@s": https://npm.corp.example' }],
  [
    'pnpm-workspace.yaml, by address',
    { 'pnpm-workspace.yaml': 'registries:\n  https://npm.corp.example:\n    scopes: ["@s"]' },
  ],
])('sends no name that %s lets come from elsewhere', (_what, files) => {
  write({
    'requirements.txt': 'a==1.0',
    'package-lock.json': '{"packages": {"node_modules/@s/a": {"version": "1.0.0"}}}',
    ...files,
  });
  const isPython = Object.keys(files).some((name) => /toml$|txt$/.test(name));

  expect(collect().items.map(({ label, subject }) => [label, subject === null])).toEqual([
    ['npm:@s/a@1.0.0', !isPython],
    ['pypi:a==1.0', isPython],
  ]);
});
