/** Package, repository or subject that a project would install or run, as a file or an argument names it. */
export interface CheckItem {
  /** Name and version for people, and for `allow` and `deny`: `npm:name@1.2.3`, `owner/repository`. */
  readonly label: string;
  /** Text to look up; null if nothing about the item may be sent. */
  readonly subject: string | null;
  readonly version: string | null;
  /** Name without the version. */
  readonly name: string;
  /** Path of the file; null for an argument of the command line. */
  readonly file: string | null;
  /** Line in the file, from 1. */
  readonly line: number | null;
  /** Reason why it is not looked up; null if it is. */
  readonly skipped: string | null;
}

/** Items of a file. */
export interface FileItems {
  readonly items: readonly CheckItem[];
  /** Number of packages of the project itself: workspaces, links and folders. */
  readonly local: number;
  /** Paths of further files that the file includes, relative to it. */
  readonly includes?: readonly string[];
}

/** Registries from which packages would be installed. */
export interface Registries {
  /** Returns the npm registry of a package by its scope. */
  npmRegistryOf(name: string): string;
  /** Indexes of Python packages beside the files' own. */
  readonly pythonIndexes: readonly string[];
  /** Returns whether an address belongs to the public registry, or to a mirror of it that the caller named. */
  isPublic(ecosystem: Ecosystem, address: string): boolean;
}

export type Ecosystem = 'npm' | 'pypi';

/** File that a reader reads. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly registries: Registries;
}

/** Returns an item that is looked up as a package of a public registry. */
export function packageItem(
  ecosystem: Ecosystem,
  name: string,
  version: string | null,
  at: Pick<CheckItem, 'file' | 'line'>,
): CheckItem {
  const { label, base } = nameOf(ecosystem, name, version);
  return { label, name: base, version, subject: label, skipped: null, ...at };
}

/** Returns an item that is listed only: nothing of it is sent. */
export function skippedItem(
  label: string,
  reason: string,
  at: Pick<CheckItem, 'file' | 'line'>,
  version: string | null = null,
): CheckItem {
  return { label, name: label, version, subject: null, skipped: reason, ...at };
}

/** Returns a package of a registry: looked up if it is the public one, and otherwise only listed. */
export function registryItem(
  ecosystem: Ecosystem,
  name: string,
  version: string | null,
  registry: string,
  source: SourceFile,
  line: number | null,
): CheckItem {
  const at = { file: source.path, line };
  if (source.registries.isPublic(ecosystem, registry)) return packageItem(ecosystem, name, version, at);
  const { label, base } = nameOf(ecosystem, name, version);
  return { ...skippedItem(label, `from another registry: ${hostOf(registry)}`, at, version), name: base };
}

function nameOf(ecosystem: Ecosystem, name: string, version: string | null) {
  const base = `${ecosystem}:${name}`;
  const separator = ecosystem === 'npm' ? '@' : '==';
  return { base, label: version === null ? base : `${base}${separator}${version}` };
}

/** Returns the host of an address, never its path or credentials. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'an address that is no URL';
}

/** Public hosts of repositories by the short names that npm uses. */
const REPOSITORY_HOSTS: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
  codeberg: 'codeberg.org',
};

/**
 * Returns the subject of a repository's address, such as `https://github.com/owner/name`. Returns null for an address of
 * another host, which may be private. Credentials, references and paths are left out.
 */
export function repositoryOf(address: string): string | null {
  const short = /^(github|gitlab|bitbucket|codeberg):([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:#.*)?$/.exec(address);
  const [, host, owner, name] = short
    ? [null, REPOSITORY_HOSTS[short[1] ?? ''], short[2], short[3]]
    : (/^(?:git\+)?(?:https?|ssh|git):\/\/(?:[^@/]*@)?(?:www\.)?([\w.-]+)(?::\d+)?[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:[/#?@].*)?$/.exec(
        address,
      ) ??
      /^(?:[\w.-]+@)([\w.-]+):([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:#.*)?$/.exec(address) ??
      []);
  if (!host || !Object.values(REPOSITORY_HOSTS).includes(host)) return null;
  return `https://${host}/${owner}/${name}`;
}

/** Returns an item of a git dependency: the repository of a public host, and otherwise only listed. */
export function gitItem(
  label: string,
  address: string,
  at: Pick<CheckItem, 'file' | 'line'>,
  version: string | null = null,
): CheckItem {
  const repository = repositoryOf(address);
  if (repository === null) return skippedItem(label, 'from a git repository of another host', at, version);
  return { label: repository, name: repository, version, subject: repository, skipped: null, ...at };
}
