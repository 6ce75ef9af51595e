import type { SemVer } from 'semver';
import parseSemver from 'semver/functions/parse.js';
import { normalisePypiName } from '../subjects/normalise.ts';
import { comparePythonVersions, type PythonVersion, parsePythonVersion } from './python-version.ts';

/** Package registries whose advisories are stored. */
export const ECOSYSTEMS = ['npm', 'pypi'] as const;

export type Ecosystem = (typeof ECOSYSTEMS)[number];

/** A package of a registry. `name` is normalised by the rules of the registry, so that equal names are one package. */
export interface PackageName {
  readonly ecosystem: Ecosystem;
  readonly name: string;
}

/** Compares two versions; negative if the first one is lower, null if one of them is no version of the registry. */
type CompareVersions = (one: string, other: string) => number | null;

/** Rules of a registry: how it compares names, and how it orders versions. */
interface EcosystemRules {
  /** Name in OSV records. */
  readonly osvName: string;
  /** Returns the spelling under which the registry compares a name. */
  normaliseName(name: string): string;
  isName(name: string): boolean;
  /** Returns true for a version, or a bound of a range in a record. */
  isVersion(text: string): boolean;
  /** Returns true for a text that the registry takes for one version, not for a range. */
  isOneVersion(text: string): boolean;
  readonly compareVersions: CompareVersions;
}

/** Maximum characters of a package's name: the limit of npm, which no package of PyPI exceeds. */
const MAX_NAME_CHARACTERS = 214;

export const ECOSYSTEM_RULES: Readonly<Record<Ecosystem, EcosystemRules>> = {
  npm: {
    osvName: 'npm',
    // npm compares names exactly: an old name with capitals is another package than the same name in lower case.
    normaliseName: (name) => name,
    isName: (name) => /^(?:@[\w.~-]+\/)?[\w.~!'()*-]+$/.test(name) && name.length <= MAX_NAME_CHARACTERS,
    isVersion: (text) => parseNpmVersion(text) !== null,
    // npm treats `1` and `1.2` as ranges, and would install the latest version within them.
    isOneVersion: (text) => parseSemver(text, { loose: true }) !== null,
    compareVersions: comparing(parseNpmVersion, compareNpmVersions),
  },
  pypi: {
    osvName: 'PyPI',
    normaliseName: normalisePypiName,
    isName: (name) => /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(name) && name.length <= MAX_NAME_CHARACTERS,
    isVersion: (text) => parsePythonVersion(text) !== null,
    isOneVersion: (text) => parsePythonVersion(text) !== null,
    compareVersions: comparing<PythonVersion>(parsePythonVersion, comparePythonVersions),
  },
};

/**
 * Returns the ecosystem with this name in OSV records, where a suffix may follow the name (`PyPI:…`); null if
 * `ECOSYSTEMS` does not have it.
 */
export function ecosystemNamed(osvName: string): Ecosystem | null {
  const [base] = osvName.split(':');
  return ECOSYSTEMS.find((ecosystem) => ECOSYSTEM_RULES[ecosystem].osvName === base) ?? null;
}

/** Parses a semantic version. Accepts `1` and `1.2`, which records use as bounds of ranges. */
function parseNpmVersion(text: string): SemVer | null {
  const [, major, minor = '.0'] = /^(\d+)(\.\d+)?$/.exec(text.trim()) ?? [];
  return parseSemver(major === undefined ? text : `${major}${minor}.0`, { loose: true });
}

/** Compares by precedence alone, because versions that differ in build metadata are one version for npm. */
function compareNpmVersions(one: SemVer, other: SemVer): number {
  return one.compare(other);
}

function comparing<Version>(
  parse: (text: string) => Version | null,
  compare: (one: Version, other: Version) => number,
): CompareVersions {
  const read = remembering(parse);
  return (one, other) => {
    const [left, right] = [read(one), read(other)];
    return left === null || right === null ? null : compare(left, right);
  };
}

/** Maximum number of cached versions: more than the bounds and versions of one record. */
const MAX_REMEMBERED = 1_000;

/** Caches parsed versions, because each version of a record is compared with the same few bounds. */
function remembering<Version>(parse: (text: string) => Version | null): typeof parse {
  const parsed = new Map<string, Version | null>();
  return (text) => {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    if (parsed.size >= MAX_REMEMBERED) parsed.clear();
    const version = parse(text);
    parsed.set(text, version);
    return version;
  };
}
