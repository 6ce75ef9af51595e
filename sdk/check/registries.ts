import type { Ecosystem, Registries } from './item.ts';

const PUBLIC_HOSTS: Readonly<Record<Ecosystem, readonly string[]>> = {
  npm: ['registry.npmjs.org', 'registry.yarnpkg.com'],
  pypi: ['pypi.org', 'pypi.python.org', 'files.pythonhosted.org'],
};
/** Path of the hosts that serve other indexes too: PyPI's is `simple`. */
const NPM = 'https://registry.npmjs.org/';

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
  const scopes = new Map<string, string>();
  let fallback: string | undefined;
  // A file that counts less comes later, and does not override.
  const keep = (scope: string, address: string) => {
    if (!scopes.has(scope)) scopes.set(scope, address);
  };
  fallback = environment.npm_config_registry || environment.NPM_CONFIG_REGISTRY || undefined;
  for (const text of npmrc) {
    for (const [, key = '', value = ''] of text.matchAll(
      /^[ \t]*(registry|@[^:=\s]+:registry)[ \t]*=[ \t]*["']?([^\s"']+)/gm,
    )) {
      if (key === 'registry') fallback ??= value;
      else keep(key.slice(0, -':registry'.length), value);
    }
  }
  for (const settings of yarnrc) {
    const { npmRegistryServer, npmScopes } = (settings ?? {}) as Record<string, unknown>;
    if (typeof npmRegistryServer === 'string') fallback ??= npmRegistryServer;
    for (const [scope, of] of Object.entries(npmScopes ?? {})) {
      const server = (of as Record<string, unknown> | null)?.npmRegistryServer;
      if (typeof server === 'string') keep(`@${scope}`, server);
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
    ]
      .flatMap((name) => environment[name]?.split(/\s+/) ?? [])
      // uv writes `name=address`.
      .map((address) => address.replace(/^[\w-]+=(?=https?:)/, '')),
    ...pip.flatMap((text) =>
      [...text.matchAll(/^[ \t]*(?:extra-)?index-url[ \t]*[=:]\s*(\S+(?:\s*\n[ \t]+\S+)*)/gm)].flatMap(
        ([, addresses = '']) => addresses.split(/\s+/),
      ),
    ),
  ].filter(Boolean);
  return {
    npmRegistryOf: (name) => scopes.get(name.split('/')[0] ?? '') ?? fallback ?? NPM,
    pythonIndexes,
    isPublic: (ecosystem, address) => isPublic(ecosystem, address, mirrors),
  };
}

function isPublic(ecosystem: Ecosystem, address: string, mirrors: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { host, protocol } = new URL(address);
  return /^https?:$/.test(protocol) && [...PUBLIC_HOSTS[ecosystem], ...mirrors].includes(host);
}
