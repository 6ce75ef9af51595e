import type { Ecosystem, Registries } from './item.ts';

const PUBLIC_HOSTS: Readonly<Record<Ecosystem, readonly string[]>> = {
  npm: ['registry.npmjs.org', 'registry.yarnpkg.com'],
  pypi: ['pypi.org', 'pypi.python.org', 'files.pythonhosted.org'],
};
/** URL of npm's default registry. */
const NPM = 'https://registry.npmjs.org/';

/** Matches pip's settings that name indexes. pip treats `_` and `-` as equal, and ignores case. */
const PIP_INDEX =
  /^[ \t]*(?:(?:extra[-_])?index[-_]url|find[-_]links)[ \t]*[=:]\s*(\S+(?:\s*\n[ \t]+\S+)*)/gim;

/** Contents of the files and variables that configure registries. */
export interface RegistryTexts {
  /** Contents of the `.npmrc` files, highest precedence first. */
  readonly npmrc: readonly string[];
  /** `.yarnrc.yml` files, already parsed. */
  readonly yarnrc: readonly unknown[];
  /** Contents of the `pip.conf` files. */
  readonly pip: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Hosts that mirror the public registries. */
  readonly mirrors: readonly string[];
}

/**
 * Determines the registries from which packages would be installed. Compares only hosts, and never keeps credentials.
 * If it is unclear whether a package is public, treats it as private, so that its name is not sent.
 */
export function readRegistries({ npmrc, yarnrc, pip, environment, mirrors }: RegistryTexts): Registries {
  // It is unknown which package manager will install, so keep the settings of each. The scope '' applies to packages
  // without a setting for their scope.
  const [npm, yarn] = [new Map<string, string>(), new Map<string, string>()];
  // Files with lower precedence come later and do not override earlier ones.
  const keep = (settings: Map<string, string>, scope: string, address: string | undefined) => {
    if (address && !settings.has(scope)) settings.set(scope, address);
  };
  keep(npm, '', environment.npm_config_registry || environment.NPM_CONFIG_REGISTRY);
  keep(yarn, '', environment.YARN_NPM_REGISTRY_SERVER);
  for (const text of npmrc) {
    for (const [, key = '', value = ''] of text.matchAll(
      /^[ \t]*(registry|@[^:=\s]+:registry)[ \t]*=[ \t]*["']?([^\s"']+)/gm,
    )) {
      keep(npm, key === 'registry' ? '' : key.slice(0, -':registry'.length), value);
    }
  }
  for (const settings of yarnrc) {
    const { npmRegistryServer, npmScopes } = (settings ?? {}) as Record<string, unknown>;
    if (typeof npmRegistryServer === 'string') keep(yarn, '', npmRegistryServer);
    for (const [scope, of] of Object.entries(npmScopes ?? {})) {
      const server = (of as Record<string, unknown> | null)?.npmRegistryServer;
      if (typeof server === 'string') keep(yarn, `@${scope}`, server);
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
  ].filter(Boolean);
  return {
    npmRegistryOf: (name) => {
      const [scope = ''] = name.split('/');
      const set = [npm, yarn].flatMap((settings) => settings.get(scope) ?? settings.get('') ?? []);
      return set.find((address) => !isPublic('npm', address, mirrors)) ?? set[0] ?? NPM;
    },
    pythonIndexes,
    isPublic: (ecosystem, address) => isPublic(ecosystem, address, mirrors),
  };
}

function isPublic(ecosystem: Ecosystem, address: string, mirrors: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { host, protocol } = new URL(address);
  return /^https?:$/.test(protocol) && [...PUBLIC_HOSTS[ecosystem], ...mirrors].includes(host);
}
