import { describe, expect, it } from 'vitest';
import { decidePackage, isOwnPackage, type NamingEntry, type PackageReadings } from './confirm-package.ts';

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

const isOwn = (entries: readonly NamingEntry[], readings: PackageReadings | null = null, name = NPM) =>
  isOwnPackage(ROBOT, name, { entries, readings });

describe('a package belongs to a repository', () => {
  it('if an entry of its owner names both, in any case', () => {
    expect(isOwn([entry()])).toBe(true);
    expect(isOwn([entry({ serverName: 'io.github.ACME/robot', repository: 'ACME/ROBOT' })])).toBe(true);
    expect(
      isOwn([entry({}, 'oci', 'ghcr.io/acme/robot:1')], null, {
        registry: 'oci',
        name: 'ghcr.io/acme/robot:1',
      }),
    ).toBe(true);
  });

  it('if its metadata and a manifest in the repository name each other', () => {
    const packageNames = { host: 'github.com', repository: 'acme/robot' };

    expect(isOwn([], { packageNames, manifestNames: [NPM] })).toBe(true);
    expect(isOwn([], { packageNames, manifestNames: [] })).toBe(false);
    expect(isOwn([], { packageNames, manifestNames: [{ registry: 'pypi', name: 'robot' }] })).toBe(false);
    expect(isOwn([], { packageNames: null, manifestNames: [NPM] })).toBe(false);
    const elsewhere = { host: 'github.com', repository: 'other/robot' };
    expect(isOwn([], { packageNames: elsewhere, manifestNames: [NPM] })).toBe(false);
  });

  it('not if only somebody else names both', () => {
    const packageNames = { host: 'github.com', repository: 'acme/robot' };

    expect(isOwn([entry({ serverName: 'io.github.mallory/robot' })])).toBe(false);
    expect(isOwn([entry({ serverName: 'com.mallory/robot' })], { packageNames, manifestNames: [] })).toBe(
      false,
    );
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

    expect(isOwnPackage(onGitlab, NPM, { entries: [entry({ host: 'gitlab.com' })], readings: null })).toBe(
      false,
    );
  });

  it('not if the ids of the repositories differ, as after a new one took the name', () => {
    const known = { ...ROBOT, hostRepositoryId: '7' };
    const isOwnWithId = (hostRepositoryId: string) =>
      isOwnPackage(known, NPM, { entries: [entry({ hostRepositoryId })], readings: null });

    expect(isOwnWithId('8')).toBe(false);
    expect(isOwnWithId('7')).toBe(true);
    expect(isOwnWithId('R_kgDOabc')).toBe(true);
  });
});

describe('the package of a listing', () => {
  const decide = (stated: string | null, entries: readonly NamingEntry[], registry = 'npm') =>
    decidePackage(ROBOT, registry, stated, { entries, readings: null });

  it('is the stated one, confirmed or not', () => {
    expect(decide('robot', [entry({}, 'npm', 'robot', 'robot-extra')])).toEqual({
      name: 'robot',
      isConfirmed: true,
    });
    expect(decide('robot', [])).toEqual({ name: 'robot', isConfirmed: false });
    expect(decide(null, [])).toEqual({ name: null, isConfirmed: false });
  });

  it('is the only one that its owner names, if no list gives one, or a list gives another', () => {
    expect(decide(null, [entry()])).toEqual({ name: 'robot', isConfirmed: true });
    expect(decide('@anthropic/robot', [entry()])).toEqual({ name: 'robot', isConfirmed: true });
  });

  it('is none of several that its owner names', () => {
    const many = [entry({}, 'npm', 'robot-a'), entry({ serverName: 'io.github.acme/b' }, 'npm', 'robot-b')];

    expect(decide(null, many)).toEqual({ name: null, isConfirmed: false });
    expect(decide('robot', many)).toEqual({ name: 'robot', isConfirmed: false });
    expect(decide('robot-b', many)).toEqual({ name: 'robot-b', isConfirmed: true });
  });

  it('compares names on PyPI in any spelling, and learns the same one in any order', () => {
    const spellings = [entry({}, 'pypi', 'My_Robot'), entry({}, 'pypi', 'my.robot')];

    expect(decide('MY-robot', spellings, 'pypi')).toEqual({ name: 'MY-robot', isConfirmed: true });
    expect(decide(null, spellings, 'pypi')).toEqual(decide(null, spellings.toReversed(), 'pypi'));
    expect(decide(null, spellings, 'pypi')).toEqual({ name: 'My_Robot', isConfirmed: true });
  });
});
