import { describe, expect, it } from 'vitest';
import { sourceFile as file, told } from '../test/source-file.ts';
import { readNpmLock } from './npm-lock.ts';
import { readPnpmLock } from './pnpm-lock.ts';
import { readPoetryLock, readUvLock } from './python-lock.ts';
import { readConstraints, readRequirements } from './requirements.ts';
import { readYarnLock } from './yarn-lock.ts';

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

describe('an address that begins like that of a known repository', () => {
  const told1 = (resolved: string) => {
    const entry = { version: '1.0.0', resolved };
    return told(readNpmLock(file(JSON.stringify({ packages: { 'node_modules/x': entry } }))))[0];
  };

  it.each([
    'https://evil.example/codeload.github.com/good/name/tar.gz/0123',
    'git+https://github.com/good/name/../../evil/x.git#0123',
    'git+https://github.com/good/name/%2e%2e/%2e%2e/evil/x.git#0123',
    'git+ssh://git@github.com/good/..%5c../evil#0123',
    'https://github.com/good/name/archive/../../../evil/x/archive/1.tgz',
    'github:../evil',
  ])('but leads elsewhere is not taken for it: %s', (address) => {
    expect(told1(address)).toMatch(/^1 npm:x(@1\.0\.0)? \(from /);
  });

  it('is believed where the client resolves it', () => {
    expect(told1('https://codeload.github.com/good/name/tar.gz/../../../other/x/tar.gz/0123')).toBe(
      '1 https://github.com/other/x',
    );
  });
});

it('reads both members of lock file version 2, of which old and new versions of npm install one each', () => {
  const text = JSON.stringify({
    packages: { 'node_modules/a': { version: '1.0.0' } },
    dependencies: { a: { version: '1.0.0' }, b: { version: '2.0.0' } },
  });

  expect(told(readNpmLock(file(text)))).toEqual(['1 npm:a@1.0.0', '1 npm:b@2.0.0']);
});

it.each([
  'a@^1:\n  version:\n    1.0.0\n  resolved:\n    https://evil.example/a.tgz\n',
  'a@^1:\n    version: 1.0.0\n    resolved: https://evil.example/a.tgz\n',
  'a@^1:\n  version "1.0.0"\n  "resolved" "https://evil.example/a.tgz"\n',
  'a@^1:\n  version "1.0.0"\n  resolved "https:\\u002f\\u002fevil.example/a.tgz"\n',
  'a@^1: {version: 1.0.0, resolved: "https://evil.example/a.tgz"}\n',
  '__metadata:\n  version: 8\na@^1:\n  version: 1.0.0\n  resolution: a@npm:1.0.0\n  resolved: https://evil.example/a.tgz\n',
])('reads no yarn.lock that Yarn 1 would read in another way: %j', (text) => {
  expect(() => readYarnLock(file(text))).toThrow('invalid entry in line');
});

it('reads the package below several patches of Yarn, and counts no other address as local', () => {
  const inner = encodeURIComponent('a@npm%3A1.0.0#./one.patch');
  const text = `__metadata:
  version: 8
"a@patch:a@patch%3A${inner}#./two.patch":
  version: 1.0.0
  resolution: "a@patch:a@patch%3A${inner}#./two.patch::version=1.0.0&hash=01"
"b@patch:b@https%3A//evil.example/b.tgz#./b.patch":
  version: 1.0.0
  resolution: "b@patch:b@https%3A//evil.example/b.tgz#./b.patch"
`;

  expect(told(readYarnLock(file(text)))).toEqual([
    '3 npm:a@1.0.0',
    '6 npm:b (from a git repository of another host)',
  ]);
});

it('believes the addresses from which uv installs, not the index that the lock file states', () => {
  const told1 = (files: string) =>
    told(
      readUvLock(
        file(
          `[[package]]\nname = "a-b"\nversion = "1.0"\nsource = { registry = "https://pypi.org/simple" }\n${files}\n`,
        ),
      ),
    )[0];
  const pypi = 'https://files.pythonhosted.org/packages/01';

  expect(
    told1(
      `sdist = { url = "${pypi}/A.b-1.0.tar.gz" }\nwheels = [{ url = "${pypi}/a_b-1.0-py3-none-any.whl" }]`,
    ),
  ).toBe('1 pypi:a-b==1.0');
  expect(told1(`wheels = [{ url = "https://evil.example/a_b-1.0-py3-none-any.whl" }]`)).toBe(
    '1 pypi:a-b==1.0 (from another registry: evil.example)',
  );
  expect(told1(`wheels = [{ url = "${pypi}/evil-1.0-py3-none-any.whl" }]`)).toBe(
    '1 pypi:a-b (its files have the name of another package)',
  );
});

it('sends no line that is no requirement, because any file can be included', () => {
  const text = '"key": "secret"\nTOKEN=secret\nexport TOKEN\na (>=1.0)\nb ~= 1.0\n';

  expect(told(readRequirements(file(text)))).toEqual([
    '1 a line that is no requirement (it names no package)',
    '2 a line that is no requirement (it names no package)',
    '3 a line that is no requirement (it names no package)',
    '4 pypi:a',
    '5 pypi:b',
  ]);
});

it('reads the addresses of a constraints file, from which pip installs, but not its versions', () => {
  const text = 'a==1.0\nb @ https://evil.example/b.whl\nc @ git+https://github.com/owner/name@v1\n';

  expect(told(readConstraints(file(text)))).toEqual([
    '2 pypi:b (from an address of its own)',
    '3 https://github.com/owner/name',
  ]);
});
