import { describe, expect, it } from 'vitest';
import {
  type DecidedPackage,
  decidePackage,
  isOfOtherRepository,
  isOwnPackage,
  keepMalware,
  type NamingEntry,
  otherPackages,
  type PackageEvidence,
  type RegistryAnswer,
} from './confirm-package.ts';
import { isSamePackage } from './package-names.ts';

const ROBOT = { host: 'github.com', repository: 'Acme/Robot', hostRepositoryId: null };
const NPM = { registry: 'npm', name: 'robot' };

function entry(overrides: Partial<NamingEntry> = {}, registry = 'npm', ...names: string[]): NamingEntry {
  return {
    serverName: 'io.github.acme/robot',
    host: 'github.com',
    repository: 'acme/robot',
    hostRepositoryId: null,
    packages: (names.length === 0 ? ['robot'] : names).map((identifier) => ({
      registryType: registry,
      identifier,
      version: '1.0.0',
      registryBaseUrl: null,
    })),
    ...overrides,
  };
}

/** Creates a registry's answer about a package that names the repository; `overrides` replaces fields. */
function answer(overrides: Partial<RegistryAnswer> = {}): RegistryAnswer {
  return { ...NPM, outcome: 'read', host: 'github.com', repository: 'acme/robot', ...overrides };
}

const AT_ROOT = { ...NPM, path: 'package.json' };

const evidenceOf = (evidence: Partial<PackageEvidence>): PackageEvidence => ({
  entries: [],
  manifest: [],
  answers: [],
  ...evidence,
});

const isOwn = (entries: readonly NamingEntry[], more: Partial<PackageEvidence> = {}, name = NPM) =>
  isOwnPackage(ROBOT, name, evidenceOf({ entries, ...more }));

describe('a package belongs to a repository', () => {
  it('if an entry of its owner names both, in any case', () => {
    expect(isOwn([entry()])).toBe(true);
    expect(isOwn([entry({ serverName: 'io.github.ACME/robot', repository: 'ACME/ROBOT' })])).toBe(true);
    expect(
      isOwn(
        [entry({}, 'oci', 'ghcr.io/acme/robot:1')],
        {},
        {
          registry: 'oci',
          name: 'ghcr.io/acme/robot:1',
        },
      ),
    ).toBe(true);
  });

  it('if its metadata and a manifest in the repository name each other', () => {
    const named = { answers: [answer()], manifest: [AT_ROOT] };

    expect(isOwn([], named)).toBe(true);
    expect(isOwn([], { ...named, manifest: [] })).toBe(false);
    expect(isOwn([], { ...named, manifest: [{ ...AT_ROOT, registry: 'pypi' }] })).toBe(false);
    expect(isOwn([], { ...named, answers: [] })).toBe(false);
    expect(isOwn([], { ...named, answers: [answer({ host: null, repository: null })] })).toBe(false);
    expect(isOwn([], { ...named, answers: [answer({ repository: 'other/robot' })] })).toBe(false);
    expect(isOwn([], { ...named, answers: [answer({ name: 'robots' })] })).toBe(false);
  });

  it.each([
    ['2026-01-07T00:00:00Z', '2026-01-01T00:00:00.000000Z', true],
    ['2026-01-09T00:00:00Z', '2026-01-01T00:00:00.000000Z', false],
    ['2026-01-09T00:00:00Z', null, true],
    [null, '2026-01-01T00:00:00.000000Z', true],
  ])(
    'if the repository, created at %s, is not younger than the release at %s: %s',
    (repositoryCreatedAt, releasedAt, expected) => {
      const evidence = evidenceOf({ answers: [answer({ releasedAt })], manifest: [AT_ROOT] });
      expect(isOwnPackage({ ...ROBOT, repositoryCreatedAt }, NPM, evidence)).toBe(expected);
    },
  );

  it('not if its registry does not have it, whoever names it', () => {
    const missing = answer({ outcome: 'missing', host: null, repository: null });

    expect(isOwn([entry()], { answers: [missing], manifest: [AT_ROOT] })).toBe(false);
    expect(isOwn([entry()], { answers: [answer({ ...missing, name: 'other' })] })).toBe(true);
  });

  it('not if only somebody else names both', () => {
    const read = { answers: [answer()] };

    expect(isOwn([entry({ serverName: 'io.github.mallory/robot' })])).toBe(false);
    expect(isOwn([entry({ serverName: 'com.mallory/robot' })], read)).toBe(false);
    expect(isOwn([entry({ serverName: 'io.github.acme.evil/robot' })])).toBe(false);
  });

  it('not if the entry is about another repository, package or registry', () => {
    expect(isOwn([entry({ repository: 'acme/other' })])).toBe(false);
    expect(isOwn([entry({ host: null, repository: null })])).toBe(false);
    expect(isOwn([entry({ host: 'gitlab.com' })])).toBe(false);
    expect(isOwn([entry({}, 'npm', 'robots')])).toBe(false);
    expect(isOwn([entry({}, 'pypi', 'robot')])).toBe(false);
    const [own] = entry().packages;
    const at = (registryBaseUrl: string) =>
      isOwn([entry({ packages: own === undefined ? [] : [{ ...own, registryBaseUrl }] })]);
    expect(at('https://npm.mallory.example')).toBe(false);
    expect(at('https://registry.npmjs.org/')).toBe(true);
  });

  it('not on a host whose owners the registry does not prove', () => {
    const onGitlab = { ...ROBOT, host: 'gitlab.com' };

    const entries = [entry({ host: 'gitlab.com' })];
    expect(isOwnPackage(onGitlab, NPM, evidenceOf({ entries }))).toBe(false);
  });

  it('not if the ids of the repositories differ, as after a new one took the name', () => {
    const known = { ...ROBOT, hostRepositoryId: '7' };
    const isOwnWithId = (hostRepositoryId: string) =>
      isOwnPackage(known, NPM, evidenceOf({ entries: [entry({ hostRepositoryId })] }));

    expect(isOwnWithId('8')).toBe(false);
    expect(isOwnWithId('7')).toBe(true);
    expect(isOwnWithId('R_kgDOabc')).toBe(true);
  });
});

describe('the package of a listing', () => {
  const decide = (
    stated: string | null,
    entries: readonly NamingEntry[],
    registry = 'npm',
    more: Partial<PackageEvidence> = {},
  ) => decidePackage(ROBOT, registry, stated, evidenceOf({ entries, ...more }));
  const own = (name: string) => ({ name, isConfirmed: true, isMissing: false });
  const unconfirmed = (name: string | null) => ({ name, isConfirmed: false, isMissing: false });

  it('is the stated one, confirmed or not', () => {
    expect(decide('robot', [entry({}, 'npm', 'robot', 'robot-extra')])).toEqual(own('robot'));
    expect(decide('robot', [])).toEqual(unconfirmed('robot'));
    expect(decide(null, [])).toEqual(unconfirmed(null));
  });

  it('is the only one that its owner names, if no list gives one, or a list gives another', () => {
    expect(decide(null, [entry()])).toEqual(own('robot'));
    expect(decide('@anthropic/robot', [entry()])).toEqual(own('robot'));
  });

  it('is none of several that its owner names', () => {
    const many = [entry({}, 'npm', 'robot-a'), entry({ serverName: 'io.github.acme/b' }, 'npm', 'robot-b')];

    expect(decide(null, many)).toEqual(unconfirmed(null));
    expect(decide('robot', many)).toEqual(unconfirmed('robot'));
    expect(decide('robot-b', many)).toEqual(own('robot-b'));
  });

  it('compares names on PyPI in any spelling, and learns the same one in any order', () => {
    const spellings = [entry({}, 'pypi', 'My_Robot'), entry({}, 'pypi', 'my.robot')];

    expect(decide('MY-robot', spellings, 'pypi')).toEqual(own('MY-robot'));
    expect(decide(null, spellings, 'pypi')).toEqual(decide(null, spellings.toReversed(), 'pypi'));
    expect(decide(null, spellings, 'pypi')).toEqual(own('My_Robot'));
  });

  it('is the only confirmed one of the manifests, or the one at the root of the repository', () => {
    const inside = { registry: 'npm', name: '@acme/part', path: 'packages/part/package.json' };
    const answers = [answer(), answer({ name: '@acme/part' })];
    const by = (...manifest: PackageEvidence['manifest']) => decide(null, [], 'npm', { manifest, answers });

    expect(by(inside)).toEqual(own('@acme/part'));
    expect(by(inside, AT_ROOT)).toEqual(own('robot'));
    expect(by(inside, { ...AT_ROOT, path: 'packages/robot/package.json' })).toEqual(unconfirmed(null));
    expect(by({ ...inside, name: 'unread' }, AT_ROOT)).toEqual(own('robot'));
  });

  it('is missing if a list names it and its registry does not have it, unless the owner names another', () => {
    const answers = [answer({ name: '@anthropic/robot', outcome: 'missing', host: null, repository: null })];

    expect(decide('@anthropic/robot', [], 'npm', { answers })).toEqual({
      name: '@anthropic/robot',
      isConfirmed: false,
      isMissing: true,
    });
    expect(decide('@anthropic/robot', [entry()], 'npm', { answers })).toEqual(own('robot'));
  });
});

describe('packages of other registries', () => {
  it('are those that entries about the repository name, confirmed if the owner names them', () => {
    const entries = [
      entry({}, 'oci', 'ghcr.io/acme/robot:1', 'ghcr.io/acme/robot:2'),
      entry({ serverName: 'com.mallory/robot' }, 'oci', 'ghcr.io/acme/robot:3', 'ghcr.io/mallory/robot'),
      entry({ serverName: 'com.mallory/robot' }, 'nuget', 'Acme.Robot'),
      entry({ repository: 'acme/other' }, 'mcpb', 'https://github.com/acme/other/releases/a.mcpb'),
      entry({}, 'mcpb', 'https://github.com/acme/robot/releases/a.mcpb'),
      entry({}, 'npm', 'robot'),
    ];

    expect(otherPackages(ROBOT, entries)).toEqual([
      { registry: 'oci', name: 'ghcr.io/acme/robot:1', isConfirmed: true },
      { registry: 'mcpb', name: 'https://github.com/acme/robot/releases/a.mcpb', isConfirmed: true },
      { registry: 'oci', name: 'ghcr.io/mallory/robot', isConfirmed: false },
      { registry: 'nuget', name: 'Acme.Robot', isConfirmed: false },
    ]);
  });
});

it.each([
  ['npm', 'robot', 'Robot', false],
  ['npm', '@acme/robot', '@acme/robot', true],
  ['pypi', 'My_Robot', 'my.robot', true],
  ['nuget', 'Acme.Robot', 'acme.robot', true],
  ['nuget', 'Acme.Robot', 'Acme-Robot', false],
  ['oci', 'ghcr.io/acme/robot:1', 'GHCR.io/acme/robot@sha256:0a', true],
  ['oci', 'acme/robot', 'docker.io/acme/robot:latest', true],
  ['oci', 'robot', 'docker.io/library/robot', true],
  ['oci', 'acme/robot', 'ghcr.io/acme/robot', false],
  ['oci', 'localhost:5000/robot', 'robot', false],
  ['mcpb', 'https://a.example/A.mcpb', 'https://a.example/a.mcpb', false],
])('names of %s are compared as the registry does: %s and %s', (registry, one, other, expected) => {
  expect(isSamePackage({ registry, name: one }, { registry, name: other })).toBe(expected);
});

describe('a package with malware', () => {
  const NONE = { name: null, isConfirmed: false, isMissing: false };
  const keep = (evidence: Partial<PackageEvidence>, decided: typeof NONE | DecidedPackage = NONE) =>
    keepMalware(decided, NPM, evidenceOf(evidence));

  it("stays the listing's when nobody names it any more, or its registry has removed it", () => {
    expect(keep({})).toEqual({ name: 'robot', isConfirmed: true, isMissing: false });
    const removed = answer({ outcome: 'missing', host: null, repository: null });
    expect(keep({ answers: [removed] })).toEqual({ name: 'robot', isConfirmed: true, isMissing: true });
  });

  it('gives way to another package that is confirmed', () => {
    const other = { name: 'other', isConfirmed: true, isMissing: false };
    expect(keep({}, other)).toBe(other);
  });

  it("is another repository's if an entry about one of this name named it", () => {
    const isOther = (...entries: NamingEntry[]) =>
      isOfOtherRepository({ ...ROBOT, hostRepositoryId: '7' }, NPM, entries);

    expect(isOther(entry({ hostRepositoryId: '8' }))).toBe(true);
    expect(isOther(entry({ hostRepositoryId: '8' }, 'npm', 'other'))).toBe(false);
    expect(isOther(entry({ hostRepositoryId: '7' }))).toBe(false);
  });
});
