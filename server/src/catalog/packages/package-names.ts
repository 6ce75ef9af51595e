import { normalisePypiName } from '../subjects/normalise.ts';

/** A package by its registry (`npm`, `pypi`, `oci`, `nuget`, `mcpb`) and its name there. */
export interface RegistryName {
  readonly registry: string;
  readonly name: string;
}

/** Defaults of image names: the host if a name states none, and the folder if it states no owner. */
const DEFAULT_IMAGE_HOST = 'docker.io';
const DEFAULT_IMAGE_FOLDER = 'library';

/**
 * Functions by registry that convert a name to a key. Two names that the registry treats as one package have the same
 * key. npm compares names exactly, PyPI without regard to case and separators, NuGet without regard to case. An image
 * is compared without its tag or digest. The name of an MCPB file is its address, which is compared exactly.
 */
const KEYS: Readonly<Record<string, (name: string) => string>> = {
  pypi: normalisePypiName,
  nuget: (name) => name.toLowerCase(),
  oci: imageKey,
};

/** Returns the key that all spellings of a name share. */
export function nameKey({ registry, name }: RegistryName): string {
  return (KEYS[registry] ?? ((same: string) => same))(name.trim());
}

/** Returns true if the registry treats both names as one package. */
export function isSamePackage(one: RegistryName, other: RegistryName): boolean {
  return one.registry === other.registry && nameKey(one) === nameKey(other);
}

/** Returns an image's full name in lower case: host, folder and name, without a tag or a digest. */
function imageKey(reference: string): string {
  const [name = ''] = reference.toLowerCase().split('@', 1);
  const parts = name.replace(/:[^/:]*$/, '').split('/');
  const [first = ''] = parts;
  const hasHost = parts.length > 1 && (/[.:]/.test(first) || first === 'localhost');
  const path = hasHost ? parts.slice(1) : parts;
  const isOfficial = (!hasHost || first === DEFAULT_IMAGE_HOST) && path.length === 1;
  const host = hasHost ? first : DEFAULT_IMAGE_HOST;
  return [host, ...(isOfficial ? [DEFAULT_IMAGE_FOLDER] : []), ...path].join('/');
}

/** Addresses of the public package registries. A package at any other address is a different package. */
const USUAL_REGISTRIES: Readonly<Record<string, readonly string[]>> = {
  npm: ['https://registry.npmjs.org'],
  pypi: ['https://pypi.org'],
  nuget: ['https://api.nuget.org', 'https://api.nuget.org/v3/index.json', 'https://www.nuget.org'],
};

/**
 * Returns true if the address is null, or a public registry of the package's type, or if the type has no entry above.
 */
export function isOfUsualRegistry(registry: string, baseUrl: string | null): boolean {
  const usual = USUAL_REGISTRIES[registry];
  return baseUrl === null || usual === undefined || usual.includes(baseUrl.replace(/\/+$/, ''));
}
