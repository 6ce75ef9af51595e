import { describe, expect, it } from 'vitest';
import { sourceFile as file, told } from '../test/source-file.ts';
import { readNpmLock } from './npm-lock.ts';
import { readPnpmLock } from './pnpm-lock.ts';
import { readPoetryLock, readUvLock } from './python-lock.ts';
import { readRequirements, requirementIndexes } from './requirements.ts';
import { readYarnLock } from './yarn-lock.ts';

const npm3 = `{
  "lockfileVersion": 3,
  "packages": {
    "": { "name": "project", "workspaces": ["one"] },
    "node_modules/lodash": { "version": "4.17.21", "resolved": "https://registry.npmjs.org/lodash/-/lodash-4.17.21.tgz" },
    "node_modules/a/node_modules/@s/b": { "version": "1.0.0-rc.1" },
    "node_modules/alias": { "name": "real", "version": "2.0.0", "resolved": "https://registry.npmjs.org/real/-/real-2.0.0.tgz" },
    "node_modules/secret": { "version": "1.0.0", "resolved": "https://npm.corp.example/secret/-/secret-1.0.0.tgz" },
    "node_modules/@corp/x": { "version": "1.0.0" },
    "node_modules/one": { "resolved": "one", "link": true },
    "node_modules/git": { "version": "1.0.0", "resolved": "git+ssh://git@github.com/owner/name.git#0123" },
    "node_modules/tar": { "version": "1.0.0", "resolved": "file:tar.tgz" },
    "one": { "version": "1.0.0" },
    "folder/kept": { "version": "1.0.0", "resolved": "https://registry.npmjs.org/hidden/-/hidden-1.0.0.tgz" }
  }
}`;

describe('lock files of npm', () => {
  it('reads version 3, with aliases, scopes, links, git and private packages', () => {
    const source = file(npm3, {
      npmrc: ['@corp:registry=https://npm.corp.example/\n//npm.corp.example/:_authToken=x'],
    });

    expect(told(readNpmLock(source))).toEqual([
      '5 npm:lodash@4.17.21',
      '6 npm:@s/b@1.0.0-rc.1',
      '7 npm:real@2.0.0',
      '8 npm:secret@1.0.0 (from another registry: npm.corp.example)',
      '9 npm:@corp/x@1.0.0 (from another registry: npm.corp.example)',
      '11 https://github.com/owner/name',
      '12 npm:tar (from a file of the project)',
      '14 npm:hidden@1.0.0',
      'local 1',
    ]);
  });

  it('reads version 1, whose dependencies are nested', () => {
    const text = `{ "lockfileVersion": 1, "dependencies": {
      "a": { "version": "1.0.0", "resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz", "dependencies": {
        "b": { "version": "npm:@s/real@2.0.0" } } },
      "c": { "version": "file:../c" },
      "d": { "version": "github:owner/name#abc" },
      "e": { "version": "file:archives/e-1.0.0.tgz" },
      "f": { "version": "https://registry.npmjs.org/@s%2ff/-/f-1.2.3.tgz" } } }`;

    expect(told(readNpmLock(file(text)))).toEqual([
      '2 npm:a@1.0.0',
      '3 npm:@s/real@2.0.0',
      '5 https://github.com/owner/name',
      '6 npm:e (from a file of the project)',
      '7 npm:@s/f@1.2.3',
      'local 1',
    ]);
  });

  it('sends nothing of any package where the registry is another one, unless it is named as a mirror', () => {
    const text =
      '{"packages": {"node_modules/a": {"version": "1.0.0"}, "node_modules/b": {"version": "1.0.0", "resolved": "https://registry.npmjs.org/b/-/b-1.0.0.tgz"}}}';
    for (const settings of [
      { npmrc: ['registry = "https://mirror.example/npm/"'] },
      { environment: { npm_config_registry: 'https://mirror.example/npm/' } },
      { yarnrc: [{ npmRegistryServer: 'https://mirror.example/npm/' }] },
    ]) {
      expect(readNpmLock(file(text, settings)).items.map(({ subject }) => subject)).toEqual([null, null]);
      expect(
        readNpmLock(file(text, { ...settings, mirrors: ['mirror.example'] })).items.map(
          ({ subject }) => subject,
        ),
      ).toEqual(['npm:a@1.0.0', 'npm:b@1.0.0']);
    }
  });
});

it('believes the address of an npm archive, not the name and version that the lock file states', () => {
  const text = (address: string) =>
    JSON.stringify({ packages: { 'node_modules/good': { version: '2.0.0', resolved: address } } });
  const subjectOf = (address: string) => readNpmLock(file(text(address))).items[0]?.subject;
  const npm = 'https://registry.npmjs.org';

  expect(subjectOf(`${npm}/good/-/good-1.0.0-rc.1.tgz?cache=0`)).toBe('npm:good@1.0.0-rc.1');
  expect(subjectOf(`${npm}/@s%2fgood/-/good-1.0.0.tgz`)).toBe('npm:@s/good@1.0.0');
  expect(subjectOf(`${npm}/good/-/../../bad/-/bad-1.0.0.tgz`)).toBe('npm:bad@1.0.0');
  expect(
    readYarnLock(file(`good@^2:\n  version "2.0.0"\n  resolved "${npm}/good/-/good-1.0.0.tgz#01"\n`)).items,
  ).toEqual([expect.objectContaining({ subject: 'npm:good@1.0.0' })]);
});

it('sends no npm package that the settings of one of the package managers let come from elsewhere', () => {
  const text =
    '{"packages": {"node_modules/a": {"version": "1.0.0"}, "node_modules/@c/b": {"version": "1.0.0"}}}';
  const npmrc = ['registry=https://registry.npmjs.org/\n@c:registry=https://registry.npmjs.org/'];
  for (const settings of [
    { npmrc, yarnrc: [{ npmRegistryServer: 'https://npm.corp.example' }] },
    { npmrc, environment: { YARN_NPM_REGISTRY_SERVER: 'https://npm.corp.example' } },
  ])
    expect(readNpmLock(file(text, settings)).items.map(({ subject }) => subject)).toEqual([null, null]);
});

describe('lock files of pnpm', () => {
  it('reads the package of the key, which version 9 installs, whatever name is stated', () => {
    const text =
      "lockfileVersion: '9.0'\npackages:\n  bad@1.0.0:\n    name: good\n    resolution: {integrity: x}\n";

    expect(told(readPnpmLock(file(text)))).toEqual(['3 npm:bad@1.0.0']);
  });

  it.each([
    [
      '5',
      'lockfileVersion: 5.4\npackages:\n\n  /lodash/4.17.21:\n    resolution: {integrity: x}\n\n  /@s/b/1.0.0_react@17.0.2:\n    resolution: {integrity: x}\n\n  /old/1.2.3/react@16.0.0:\n    resolution: {integrity: x}\n\n  npm.corp.example/secret/1.0.0:\n    resolution: {integrity: x}\n',
    ],
    [
      '6',
      "lockfileVersion: '6.0'\npackages:\n\n  /lodash@4.17.21:\n    resolution: {integrity: x}\n\n  /@s/b@1.0.0(react@17.0.2)(@x/y@1.0.0):\n    resolution: {integrity: x}\n\n  /old@1.2.3:\n    resolution: {integrity: x}\n\n  /secret@1.0.0:\n    resolution: {integrity: x, tarball: https://npm.corp.example/secret/-/secret-1.0.0.tgz}\n",
    ],
    [
      '9',
      "lockfileVersion: '9.0'\npackages:\n\n  lodash@4.17.21:\n    resolution: {integrity: x}\n\n  '@s/b@1.0.0':\n    resolution: {integrity: x}\n\n  old@1.2.3:\n    resolution: {integrity: x}\n\n  secret@1.0.0:\n    resolution: {integrity: x, tarball: https://npm.corp.example/secret/-/secret-1.0.0.tgz}\n",
    ],
  ])('reads version %s', (_version, text) => {
    const items = told(readPnpmLock(file(text)));

    expect(items.slice(0, 3)).toEqual(['4 npm:lodash@4.17.21', '7 npm:@s/b@1.0.0', '10 npm:old@1.2.3']);
    expect(items[3]).toMatch(/^13 .*secret.*\(from another registry/);
  });

  it('reads what comes from git or a folder', () => {
    const text = `lockfileVersion: '9.0'
importers:
  .: {}
  packages/one: {}
packages:
  gone@https://codeload.github.com/owner/name/tar.gz/0123:
    resolution: {tarball: https://codeload.github.com/owner/name/tar.gz/0123}
    version: 1.0.0
  other@git+https://gitlab.com/owner/name.git#0123:
    resolution: {commit: 0123, repo: https://gitlab.com/owner/name.git, type: git}
    version: 1.0.0
  folder@file:folder:
    resolution: {directory: folder, type: directory}
`;

    expect(told(readPnpmLock(file(text)))).toEqual([
      '6 https://github.com/owner/name',
      '9 https://gitlab.com/owner/name',
      'local 2',
    ]);
  });
});

describe('lock files of Yarn', () => {
  it('reads version 1', () => {
    const text = `# yarn lockfile v1


"@s/b@^1.0.0", "@s/b@^1.1.0":
  version "1.1.0"
  resolved "https://registry.yarnpkg.com/@s/b/-/b-1.1.0.tgz#0123"
  dependencies:
    version "^1.0.0"

"alias@npm:real@^2":
  version "2.0.0"
  resolved "https://registry.yarnpkg.com/real/-/real-2.0.0.tgz#0123"

"secret@^1":
  version "1.0.0"
  resolved "https://npm.corp.example/secret/-/secret-1.0.0.tgz#0123"

"git@github:owner/name":
  version "1.0.0"
  resolved "https://codeload.github.com/owner/name/tar.gz/0123"

"own@file:own":
  version "0.0.0"

"mirrored@^1":
  version "1.0.0"
  resolved mirrored-1.0.0.tgz#0123
`;

    expect(told(readYarnLock(file(text)))).toEqual([
      '4 npm:@s/b@1.1.0',
      '10 npm:real@2.0.0',
      '14 npm:secret@1.0.0 (from another registry: npm.corp.example)',
      '18 https://github.com/owner/name',
      '25 npm:mirrored (from a file of the project)',
      'local 1',
    ]);
  });

  it('reads later versions', () => {
    const text = `__metadata:
  version: 8

"@s/b@npm:^1.0.0, @s/b@npm:^1.1.0":
  version: 1.1.0
  resolution: "@s/b@npm:1.1.0"
  linkType: hard

"alias@npm:real@^2":
  version: 2.0.0
  resolution: "real@npm:2.0.0"

"patched@patch:patched@npm%3A3.0.0#./fix.patch":
  version: 3.0.0
  resolution: "patched@patch:patched@npm%3A3.0.0#./fix.patch::version=3.0.0&hash=0123"

"secret@npm:^1":
  version: 1.0.0
  resolution: "secret@npm:1.0.0::__archiveUrl=https%3A%2F%2Fnpm.corp.example%2Fsecret-1.0.0.tgz"

"project@workspace:.":
  version: 0.0.0-use.local
  resolution: "project@workspace:."

"git@https://github.com/owner/name.git":
  version: 1.0.0
  resolution: "git@https://github.com/owner/name.git#commit=0123"
`;

    expect(told(readYarnLock(file(text)))).toEqual([
      '4 npm:@s/b@1.1.0',
      '9 npm:real@2.0.0',
      '13 npm:patched@3.0.0',
      '17 npm:secret@1.0.0 (from another registry: npm.corp.example)',
      '25 https://github.com/owner/name',
      'local 1',
    ]);
  });
});

describe('lock files of Python', () => {
  it('reads uv.lock', () => {
    const text = `version = 1

[[package]]
name = "idna"
version = "3.10"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "secret"
version = "1.0"
source = { registry = "https://pypi.corp.example/simple" }

[[package]]
name = "project"
version = "0.1.0"
source = { editable = "." }

[[package]]
name = "gone"
version = "1.0"
source = { git = "https://github.com/owner/name?rev=0123#0123" }
`;

    expect(told(readUvLock(file(text)))).toEqual([
      '3 pypi:idna==3.10',
      '8 pypi:secret==1.0 (from another registry: pypi.corp.example)',
      '18 https://github.com/owner/name',
      'local 1',
    ]);
  });

  it('reads poetry.lock', () => {
    const text = `[[package]]
name = "idna"
version = "3.10"

[package.dependencies]
x = "*"

[[package]]
name = "secret"
version = "1.0"

[package.source]
type = "legacy"
url = "https://pypi.corp.example/simple"
reference = "corp"

[[package]]
name = "own"
version = "1.0"

[package.source]
type = "directory"
url = "../own"
`;

    expect(told(readPoetryLock(file(text)))).toEqual([
      '1 pypi:idna==3.10',
      '8 pypi:secret==1.0 (from another registry: pypi.corp.example)',
      'local 1',
    ]);
  });

  it('reads requirements with pins, hashes, extras, markers and included files', () => {
    const text = `# comment
-r other.txt
-c constraints.txt
idna==3.10 \\
    --hash=sha256:0123 \\
    --hash=sha256:4567
Requests[socks]==2.32.0 ; python_version >= "3.8"  # why
flask>=2,<3
wild==1.2.*
bare
gone @ git+https://github.com/owner/name@v1.0
direct @ https://files.example/x.whl
./own
-e .
`;
    const read = readRequirements(file(text));

    expect(read.includes).toEqual(['other.txt']);
    expect(told(read)).toEqual([
      '4 pypi:idna==3.10',
      '7 pypi:Requests==2.32.0',
      '8 pypi:flask',
      '9 pypi:wild',
      '10 pypi:bare',
      '11 https://github.com/owner/name',
      '12 pypi:direct (from an address of its own)',
      'local 2',
    ]);
  });

  it('reads options in all forms that pip takes', () => {
    const text = `-rone.txt
-r=two.txt --requirement=three.txt
--requirem "four.txt"
-egit+https://github.com/owner/name
--edit git+https://github.com/owner/other
--require-hashes
`;
    const read = readRequirements(file(text));

    expect(read.includes).toEqual(['one.txt', 'two.txt', 'three.txt', 'four.txt']);
    expect(told(read)).toEqual(['4 https://github.com/owner/name', '5 https://github.com/owner/other']);
  });

  it('finds every index of a file, in all forms that pip takes', () => {
    for (const line of [
      '-ihttps://a.example/',
      '--pypi-url https://a.example/',
      '--index https://a.example/',
      '--extra-index https://a.example/',
      '-i https://pypi.org/simple --extra-index-url https://a.example/',
      '-i "https://pypi.org/simple" -fhttps://a.example/',
      '--no-ind',
    ])
      expect(requirementIndexes(line).at(-1), line).toMatch(/^(https:\/\/a\.example\/|--no-index)$/);
    for (const setting of ['index_url', 'Extra_Index-URL', 'find-links'])
      expect(
        readRequirements(file('idna==3.10', { pip: [`[global]\n${setting} = https://a.example/\n`] })).items,
      ).toEqual([expect.objectContaining({ subject: null })]);
  });

  it('sends nothing of requirements that another index may serve', () => {
    expect(
      requirementIndexes(
        '-i https://pypi.org/simple\n--extra-index-url=https://a.example/\n--find-links ./x\n--no-index',
      ),
    ).toEqual(['https://pypi.org/simple', 'https://a.example/', './x', '--no-index']);
    const pip = ['[global]\nextra-index-url =\n    https://pypi.corp.example/simple\n'];
    for (const settings of [
      { environment: { PIP_EXTRA_INDEX_URL: 'https://pypi.corp.example/simple' } },
      { pip },
    ])
      expect(told(readRequirements(file('idna==3.10', settings)))).toEqual([
        '1 pypi:idna==3.10 (may come from another index)',
      ]);
    expect(
      told(
        readRequirements(file('idna==3.10', { environment: { PIP_INDEX_URL: 'https://pypi.org/simple' } })),
      ),
    ).toEqual(['1 pypi:idna==3.10']);
  });
});

it.each([
  [readNpmLock, '{"packages": {', 'invalid JSON in line 1'],
  [readNpmLock, '{\n"packages": nul}', 'invalid JSON in line 2'],
  [readPnpmLock, 'packages:\n  - [', 'invalid YAML in line'],
  [readUvLock, '[[package]]\nname = ', 'invalid TOML in line 2'],
] as const)('says where a file is broken: %s', (read, text, message) => {
  expect(() => read(file(text))).toThrow(message);
});
