import { expect, it } from 'vitest';
import { sourceFile as file, told } from '../test/source-file.ts';
import { readNpmLock } from './npm-lock.ts';
import { readPnpmLock } from './pnpm-lock.ts';
import { readPoetryLock } from './python-lock.ts';
import { readRequirements } from './requirements.ts';

it('reads packages behind an alias, as pnpm does', () => {
  const text =
    "lockfileVersion: '9.0'\nother: &other\n  bad@1.0.0: {resolution: {integrity: x}}\npackages: *other\n";

  expect(told(readPnpmLock(file(text)))).toEqual(['3 npm:bad@1.0.0']);
});

it('reads requirements of any length in a moment, and those that no registry could have as not checked', () => {
  const hashes = ' --hash=sha256:0123'.repeat(1_000);
  const text = `idna==3.10${hashes}\n${'a==1 \\\n'.repeat(100_000)}\na${' '.repeat(100_000)}x\n`;

  expect(told(readRequirements(file(text)))).toEqual([
    '1 pypi:idna==3.10',
    expect.stringContaining('(it has more than 2000 characters)'),
    expect.stringContaining('(it has more than 2000 characters)'),
  ]);
});

it('counts lines from the first one, also after a byte order mark', () => {
  expect(told(readPoetryLock(file('\uFEFF[[package]]\nname = "idna"\nversion = "3.10"\n')))).toEqual([
    '1 pypi:idna==3.10',
  ]);
});

it.each([
  [readNpmLock, '{"packages": []}', 'packages is no object'],
  [readNpmLock, '{"packages": null, "dependencies": {"a": {"version": "1.0.0"}}}', 'packages is no object'],
  [readNpmLock, '{"dependencies": []}', 'dependencies is no object'],
  [readPnpmLock, 'packages: !!omap\n  - a@1.0.0: {}', 'packages is no mapping'],
  [readPnpmLock, '- packages', 'the document is no mapping'],
  [readPoetryLock, '[package]\nname = "a"', 'package is no list of tables'],
] as const)('does not count values of another kind as empty: %s', (read, text, message) => {
  expect(() => read(file(text))).toThrow(message);
});
