import type { Ecosystem, Registries } from './item.ts';

const PUBLIC_HOSTS: Readonly<Record<Ecosystem, readonly string[]>> = {
  npm: ['registry.npmjs.org', 'registry.yarnpkg.com'],
  pypi: ['pypi.org', 'pypi.python.org', 'files.pythonhosted.org'],
};
/** Path of the hosts that serve other indexes too: PyPI's is `simple`. */
const NPM = 'https://registry.npmjs.org/';

/** Settings of pip that name indexes. pip reads `_` like `-`, and letters without regard to case. */
const PIP_INDEX =
  /^[ \t]*(?:(?:extra[-_])?index[-_]url|find[-_]links)[ \t]*[=:]\s*(\S+(?:\s*\n[ \t]+\S+)*)/gim;

/** Texts of the configuration that says where packages come from. */
export interface RegistryTexts {
  /** `.npmrc` files, the one that counts most first. */
  readonly npmrc: readonly string[];
  /** `.yarnrc.yml` files, already parsed. */
  readonly yarnrc: readonly unknown[];
  /** Texts of the `pip.conf` files. */
  readonly pip: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Hosts that mirror the public registries. */
  readonly mirrors: readonly string[];
}

/**
 * Reads from where packages would be installed. Only hosts are compared, and credentials are never kept. In doubt a package is
 * private: its name must not leave the machine.
 */
export function readRegistries({ npmrc, yarnrc, pip, environment, mirrors }: RegistryTexts): Registries {
  // Which package manager will install is unknown, so each has its own settings. The scope '' stands for all other packages.
  const [npm, yarn] = [new Map<string, string>(), new Map<string, string>()];
  // What counts less comes later, and does not override.
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
      // uv writes `name=address`.
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
