import { DomainError } from '../../platform/errors/domain-error.ts';
import { printable } from '../../platform/text/request-text.ts';
import { ECOSYSTEM_RULES, ECOSYSTEMS, type Ecosystem, type PackageName } from './ecosystems.ts';

/** A package, with the version in question. The version is null if the package as a whole is meant. */
export interface PackageVersion extends PackageName {
  readonly version: string | null;
}

/** Spellings of a package that `readPackage` reads. */
const PACKAGE_SPELLINGS =
  'npm:name, npm:name@1.2.3, pypi:name, pypi:name==1.2.3 or a package URL such as pkg:npm/%40scope/name@1.2.3';

/**
 * Reads a package in one of the `PACKAGE_SPELLINGS`; for PyPI, also `pypi:name@1.2.3` and extras (`pypi:name[extra]`).
 * The name is returned as the registry compares names. Throws invalid_request for every other text, also for one with a
 * range or a tag instead of a version.
 */
export function readPackage(text: string): PackageVersion {
  const spelled = splitPackageUrl(text) ?? splitPrefixed(text);
  if (spelled === null) throw malformed(`package must be ${PACKAGE_SPELLINGS}.`);
  const { ecosystem, name, version } = spelled;
  const rules = ECOSYSTEM_RULES[ecosystem];
  if (!rules.isName(name)) {
    throw malformed(
      `package has the name ${printable(name)}, which ${rules.osvName} does not allow: check it.`,
    );
  }
  if (version !== null && !rules.isOneVersion(version)) {
    throw malformed(
      `package has the version ${printable(version)}. It must be one version such as 1.2.3, not a range or a tag; leave it out to ask about all versions.`,
    );
  }
  return { ecosystem, name: rules.normaliseName(name), version };
}

/**
 * Finds the package that a text names. Accepts what `readPackage` accepts, `@scope/name@1.2.3`, and the addresses of
 * packages at npm and PyPI. If the text has a range or a tag instead of a version, the version is null. Returns null
 * for a text that names no package.
 */
export function findPackage(text: string): PackageVersion | null {
  const spelled = text.trim();
  const found =
    splitPackageUrl(spelled) ?? splitAddress(spelled) ?? splitPrefixed(spelled) ?? splitScoped(spelled);
  if (found === null) return null;
  const rules = ECOSYSTEM_RULES[found.ecosystem];
  if (!rules.isName(found.name)) return null;
  const isVersion = found.version !== null && rules.isOneVersion(found.version);
  return { ...found, name: rules.normaliseName(found.name), version: isVersion ? found.version : null };
}

/** Addresses of packages at their registries, with the version if the address contains one. */
const ADDRESSES: readonly (readonly [ecosystem: Ecosystem, shape: RegExp])[] = [
  [
    'npm',
    /^(?:https?:\/\/)?(?:www\.)?npmjs\.com\/package\/((?:@[^/?#]+\/)?[^/?#@]+)(?:\/v\/([^/?#]+))?\/?(?:[?#].*)?$/i,
  ],
  ['pypi', /^(?:https?:\/\/)?pypi\.org\/project\/([^/?#]+)(?:\/([^/?#]+))?\/?(?:[?#].*)?$/i],
];

function splitAddress(text: string): PackageVersion | null {
  for (const [ecosystem, shape] of ADDRESSES) {
    const [, name, version] = shape.exec(text) ?? [];
    if (name !== undefined)
      return { ecosystem, name: decode(name), version: version === undefined ? null : decode(version) };
  }
  return null;
}

/** Splits `@scope/name@1.2.3`; a name with a scope can only be a package of npm. */
function splitScoped(text: string): PackageVersion | null {
  return /^@[^/@\s]+\/[^/@\s]+(?:@[^\s]+)?$/.test(text) ? splitPrefixed(`npm:${text}`) : null;
}

/** Writes a package name as in the API: `npm:name` or `pypi:name`. */
export function packageText({ ecosystem, name }: PackageName): string {
  return `${ecosystem}:${name}`;
}

function malformed(message: string): DomainError {
  return new DomainError('invalid_request', message);
}

function splitPrefixed(text: string): PackageVersion | null {
  const [, prefix = '', rest = ''] = /^(\w+):(?!\/\/)(.+)$/.exec(text) ?? [];
  const ecosystem = ecosystemOf(prefix);
  if (ecosystem === null) return null;
  // The @ of a scope is no separator. Extras of a Python package (`name[extra]==1.0`) do not change the package.
  const pattern =
    ecosystem === 'npm' ? /^(@?[^@]+)(?:@(.+))?$/ : /^([^@=[\]]+)(?:\[[^\]]*\])?(?:(?:==|@)(.+))?$/;
  const [, name = '', version = null] = pattern.exec(rest) ?? [];
  return { ecosystem, name, version };
}

/** Splits a package URL: `pkg:npm/%40scope/name@1.0?qualifiers#subpath`. Returns null for any other text. */
function splitPackageUrl(text: string): PackageVersion | null {
  const [, type = '', rest = ''] = /^pkg:\/*(\w+)\/([^?#]+)/.exec(text) ?? [];
  const ecosystem = ecosystemOf(type);
  if (ecosystem === null) return null;
  const [, path = '', version] = /^(@?[^@]+)(?:@(.+))?$/.exec(rest) ?? [];
  return {
    ecosystem,
    name: decode(path),
    version: version === undefined ? null : decode(version),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function ecosystemOf(prefix: string): Ecosystem | null {
  return ECOSYSTEMS.find((ecosystem) => ecosystem === prefix.toLowerCase()) ?? null;
}
