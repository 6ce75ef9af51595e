import type { Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import type { HostApiClient } from '../readers/account-reader.ts';
import { readNpmDownloads, readNpmPackage } from '../readers/npm-package.ts';
import type { PackageReading } from '../readers/package-reading.ts';
import { readPypiPackage } from '../readers/pypi-package.ts';
import { type HostRequest, type RateLimit, requestHost, type Validators } from '../request-host.ts';

/** Package registries that can be read, with the host of each. */
const REGISTRIES = {
  npm: { host: 'npmjs.com', read: readNpmPackage },
  pypi: { host: 'pypi.org', read: readPypiPackage },
} as const;

/** Host that publishes the download counts of npm packages. */
const DOWNLOADS_HOST = 'api.npmjs.org';

/** Request for a package. */
export interface PackageRequest {
  readonly ecosystem: keyof typeof REGISTRIES;
  /** Package name, normalised as the registry compares names. */
  readonly name: string;
  /** ETag of the last full answer. If it is sent, the registry may answer that nothing has changed (status 304). */
  readonly etag?: string | null;
  readonly signal?: AbortSignal;
}

/** Answer of a registry about a package. */
export interface PackageResponse {
  /** Null if nothing has changed since the last full answer. */
  readonly reading: PackageReading | null;
  /** Downloads of the last month; null if the registry shows none or they could not be read. */
  readonly monthlyDownloads: number | null;
  readonly validators: Validators;
  readonly rateLimit: RateLimit;
}

/** Returns the host of a registry's packages. */
export function registryHost(ecosystem: PackageRequest['ecosystem']): string {
  return REGISTRIES[ecosystem].host;
}

/**
 * Reads what a registry shows about a package. Rejects with a HostFailure if the package cannot be read. The kind of
 * the failure is `not_found` if the registry does not have the package or any version of it.
 */
export async function readHostPackage(
  hosts: Hosts,
  { ecosystem, name, etag = null, signal }: PackageRequest,
): Promise<PackageResponse> {
  const { host, read } = REGISTRIES[ecosystem];
  const question: HostRequest = signal ? { signal } : {};
  const conditional = etag === null ? question : { ...question, since: { etag, lastModified: null } };
  const { reading, answer } = await read(clientOf(hosts, host), name, conditional);
  const monthlyDownloads =
    ecosystem === 'npm' ? await readNpmDownloads(clientOf(hosts, DOWNLOADS_HOST), name, question) : null;
  return { reading, monthlyDownloads, validators: answer.validators, rateLimit: answer.rateLimit };
}

function clientOf(hosts: Hosts, host: string): HostApiClient {
  const endpoint = hosts.endpointOf(host);
  if (endpoint === null) throw new HostFailure('unreadable', `This server cannot read packages on ${host}.`);
  return { host, request: (path, question) => requestHost(hosts, endpoint, path, question) };
}
