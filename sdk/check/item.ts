/** Package, repository or subject that a project installs or runs, as named in a file or an argument. */
export interface CheckItem {
  /** Name and version, for display and for `allow` and `deny`: `npm:name@1.2.3`, `owner/repository`. */
  readonly label: string;
  /** Text to look up; null if nothing about the item may be sent. */
  readonly subject: string | null;
  readonly version: string | null;
  /** Name without the version. */
  readonly name: string;
  /** Path of the file that names the item; null if the command line names it. */
  readonly file: string | null;
  /** Line in the file, from 1; null without a file. */
  readonly line: number | null;
  /** Reason why the item is not looked up; null if it is looked up. */
  readonly skipped: string | null;
  /** True if only the item's own text names the repository. Anyone can write such a text, so the item never passes. */
  readonly isClaimed?: boolean;
}

/** Items that a file names. */
export interface FileItems {
  readonly items: readonly CheckItem[];
  /** Number of the project's own packages: workspaces, links and folders. */
  readonly local: number;
  /** Paths of the files that this file includes, relative to it. */
  readonly includes?: readonly string[];
  /** Paths of the constraints files that this file names, relative to it. */
  readonly constraints?: readonly string[];
}

/** Registries from which the package managers would install. */
export interface Registries {
  /**
   * Returns the URL of the registry that serves an npm package, by the package's scope. If the settings of the package
   * managers name different registries, returns a private one.
   */
  npmRegistryOf(name: string): string;
  /** Indexes that may serve a Python package, from settings and requirements files; empty if only PyPI serves it. */
  readonly pythonIndexes: readonly string[];
  /** Returns true if a URL belongs to the public registry or to one of the configured mirrors. */
  isPublic(ecosystem: Ecosystem, address: string): boolean;
}

export type Ecosystem = 'npm' | 'pypi';

/** Input of a reader: a file, and the registries that apply to it. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly registries: Registries;
}

/** Creates an item for a package of a public registry, which is looked up. */
export function packageItem(
  ecosystem: Ecosystem,
  name: string,
  version: string | null,
  at: Pick<CheckItem, 'file' | 'line'>,
): CheckItem {
  const { label, base } = nameOf(ecosystem, name, version);
  return { label, name: base, version, subject: label, skipped: null, ...at };
}

/** Creates an item that is only listed: nothing about it is sent. */
export function skippedItem(
  label: string,
  reason: string,
  at: Pick<CheckItem, 'file' | 'line'>,
  version: string | null = null,
): CheckItem {
  return { label, name: label, version, subject: null, skipped: reason, ...at };
}

/**
 * Creates an item for a package of a registry. It is looked up if the registry is public; otherwise it is only listed.
 */
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

/** Returns the host of a URL, never its path or credentials. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'an address that is no URL';
}

/** Public repository hosts by the prefix of a short name, such as `github:owner/name`. */
const REPOSITORY_HOSTS: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
  codeberg: 'codeberg.org',
};

/**
 * Returns the subject for the URL of a repository on a public host, such as `https://github.com/owner/name`. Returns
 * null for other hosts, which may be private. Omits credentials, references and paths.
 */
export function repositoryOf(address: string): string | null {
  // Clients resolve `..` and encoded characters, so such an address may lead to another repository than it seems.
  if (/[\\%]|(^|[/:])\.\.?(\/|$)/.test(address.replace(/[?#].*/s, ''))) return null;
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

/** Creates an item for a git dependency. A repository on a public host is looked up; any other is only listed. */
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
