import type { Ecosystem, Registries } from './item.ts';
import { objectOf } from './json-source.ts';

const PUBLIC_HOSTS: Readonly<Record<Ecosystem, readonly string[]>> = {
  npm: ['registry.npmjs.org', 'registry.yarnpkg.com'],
  pypi: ['pypi.org', 'pypi.python.org', 'files.pythonhosted.org'],
};
/** URL of npm's default registry. */
const NPM = 'https://registry.npmjs.org/';

/** Matches pip's settings that name indexes. pip treats `_` and `-` as equal, and ignores case. */
const PIP_INDEX =
  /^[ \t]*(?:(?:extra[-_])?index[-_]url|find[-_]links)[ \t]*[=:]\s*(\S+(?:\s*\n[ \t]+\S+)*)/gim;

/** URLs of registries by scope, such as `@example`. */
type Settings = Map<string, string>;

/** Contents of the files and variables that configure registries. */
export interface RegistryTexts {
  /** Contents of the `.npmrc` files, highest precedence first. */
  readonly npmrc: readonly string[];
  /** Contents of the `.yarnrc` files of Yarn 1, highest precedence first. */
  readonly classic?: readonly string[];
  /** `.yarnrc.yml` files, already parsed. */
  readonly yarnrc: readonly unknown[];
  /** `pnpm-workspace.yaml` files, already parsed. */
  readonly pnpm?: readonly unknown[];
  /** Contents of the `pip.conf` files. */
  readonly pip: readonly string[];
  /** `uv.toml` files and the tables `tool.uv` of `pyproject.toml` files, already parsed. */
  readonly uv?: readonly unknown[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Hosts that mirror the public registries. */
  readonly mirrors: readonly string[];
}

/**
 * Determines the registries from which packages would be installed. Compares only the hosts of their URLs, and reads no
 * settings that are credentials. A package that may be private counts as private, so that its name is not sent.
 */
export function readRegistries(texts: RegistryTexts): Registries {
  const { npmrc, classic = [], yarnrc, pnpm: workspaces = [], pip, uv = [], environment, mirrors } = texts;
  // It is unknown which package manager will install, so keep the settings of each. The scope '' applies to packages
  // without a setting for their scope.
  const [npm, yarn1, yarn, pnpm]: [Settings, Settings, Settings, Settings] = [
    new Map(),
    new Map(),
    new Map(),
    new Map(),
  ];
  // Files with lower precedence come later and do not override earlier ones.
  const keep = (settings: Settings, scope: string, address: unknown) => {
    if (typeof address === 'string' && address && !settings.has(scope)) settings.set(scope, address);
  };
  for (const [name, address] of Object.entries(environment)) {
    const variable = /^npm_config_(?:registry|(@[^:]+):registry)$/i.exec(name);
    if (variable) keep(npm, variable[1] ?? '', address);
  }
  keep(yarn, '', environment.YARN_NPM_REGISTRY_SERVER);
  const keepLines = (settings: Settings, text: string) => {
    for (const [, scope = '', value] of text.matchAll(
      /^[ \t]*"?(?:(@[^:=\s]+):)?registry"?(?:[ \t]*=[ \t]*|[ \t]+)["']?([^\s"']+)/gm,
    ))
      keep(settings, scope, value);
  };
  for (const text of npmrc) keepLines(npm, text);
  for (const text of classic) keepLines(yarn1, text);
  for (const settings of yarnrc) {
    const { npmRegistryServer, npmScopes } = (settings ?? {}) as Record<string, unknown>;
    keep(yarn, '', npmRegistryServer);
    for (const [scope, of] of Object.entries(npmScopes ?? {})) {
      keep(yarn, `@${scope}`, objectOf(of).npmRegistryServer);
    }
  }
  for (const { registry, registries } of workspaces.map(objectOf)) {
    keep(pnpm, '', registry);
    for (const [key, value] of Object.entries(objectOf(registries))) {
      // A member is either a scope with its address, or an address with its scopes.
      const { scopes } = objectOf(value);
      if (typeof value === 'string') keep(pnpm, key === 'default' ? '' : key, value);
      else
        for (const scope of Array.isArray(scopes) ? scopes : []) keep(pnpm, scope === '@' ? '' : scope, key);
    }
  }
  const pythonIndexes = [
    ...[
      'PIP_INDEX_URL',
      'PIP_EXTRA_INDEX_URL',
      'UV_INDEX_URL',
      'UV_EXTRA_INDEX_URL',
      'UV_DEFAULT_INDEX',
      'UV_INDEX',
      'PIP_FIND_LINKS',
      'UV_FIND_LINKS',
    ]
      .flatMap((name) => environment[name]?.split(/\s+/) ?? [])
      // uv accepts `name=URL`.
      .map((address) => address.replace(/^[\w-]+=(?=https?:)/, '')),
    ...pip.flatMap((text) =>
      [...text.matchAll(PIP_INDEX)].flatMap(([, addresses = '']) => addresses.split(/[\s,]+/)),
    ),
    ...uv.flatMap(uvIndexes),
  ].filter(Boolean);
  return {
    npmRegistryOf: (name) => {
      const [scope = ''] = name.split('/');
      const set = [npm, yarn1, yarn, pnpm].flatMap(
        (settings) => settings.get(scope) ?? settings.get('') ?? [],
      );
      return set.find((address) => !isPublic('npm', address, mirrors)) ?? set[0] ?? NPM;
    },
    pythonIndexes,
    isPublic: (ecosystem, address) => isPublic(ecosystem, address, mirrors),
  };
}

/** Returns the indexes that uv uses for every package. An `explicit` index serves only packages that name it. */
function uvIndexes(settings: unknown): string[] {
  const { index, pip, ...of } = objectOf(settings);
  const indexes = (Array.isArray(index) ? index : [])
    .map(objectOf)
    .filter(({ explicit }) => explicit !== true);
  const stated = [of['index-url'], of['extra-index-url'], of['find-links'], indexes.map(({ url }) => url)];
  return [...stated.flat().filter((each) => typeof each === 'string'), ...(pip ? uvIndexes(pip) : [])];
}

function isPublic(ecosystem: Ecosystem, address: string, mirrors: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { host, protocol } = new URL(address);
  return /^https?:$/.test(protocol) && [...PUBLIC_HOSTS[ecosystem], ...mirrors].includes(host);
}
