import type { HostRequest } from '../request-host.ts';

/** Public record of a package in its registry. Null means unknown; times are ISO 8601 UTC. */
export interface PackageReading {
  /** Name in the registry's spelling. */
  readonly name: string;
  /** Latest stable version; null if there is none. The next four fields are about this version. */
  readonly version: string | null;
  readonly releasedAt: string | null;
  /** Web addresses in the version's metadata that may be its repository, most likely first. */
  readonly repositoryUrls: readonly string[];
  /** `lost`: an earlier stable version had provenance, and this one has none. */
  readonly provenance: 'attested' | 'none' | 'lost' | null;
  /** True if the version is withdrawn or deprecated, or if its whole project is archived, deprecated or quarantined. */
  readonly deprecated: boolean | null;
  /** Version that the registry installs by default, if it is a pre-release; otherwise null. */
  readonly defaultVersion: string | null;
  /** Release times of the latest 300 versions, also of removed ones; null if the record has none. */
  readonly versionTimes: Readonly<Record<string, string>> | null;
  /** Time of the record's last change, as far as the record states it; null if it has no times. */
  readonly modifiedAt: string | null;
}

/** Maximum release times of a reading. */
const MAX_TIMES = 300;

/** Returns the release times of the latest `MAX_TIMES` versions; null if no time is known. */
export function releaseTimes(
  times: Iterable<readonly [version: string, at: string | null]>,
): PackageReading['versionTimes'] {
  const known = [...times].flatMap(([version, at]) => (at === null ? [] : [[version, at] as const]));
  if (known.length === 0) return null;
  const latest = known.sort(([, one], [, other]) => (one < other ? 1 : one > other ? -1 : 0));
  return Object.fromEntries(latest.slice(0, MAX_TIMES));
}

/** Limits of requests for a registry's record of a package, which lists all its versions. */
export const RECORD_LIMITS = { timeoutMs: 20_000, maxBytes: 16 * 1024 * 1024 } satisfies HostRequest;

/** Fields of a package version that are needed to judge provenance. */
interface VersionProvenance {
  readonly releasedAt: string | null;
  readonly isAttested: boolean;
}

/**
 * Compares the provenance of a version with that of the other versions. Returns `lost` only if another version that is
 * known to be earlier has provenance.
 */
export function provenanceOf(
  { releasedAt, isAttested }: VersionProvenance,
  others: readonly VersionProvenance[],
): 'attested' | 'none' | 'lost' {
  if (isAttested) return 'attested';
  const isEarlier = (other: VersionProvenance) =>
    releasedAt !== null && other.releasedAt !== null && other.releasedAt < releasedAt;
  return others.some((other) => other.isAttested && isEarlier(other)) ? 'lost' : 'none';
}

/** Hosts of the short spellings that npm allows: `github:owner/name`, or only `owner/name`. */
const SHORT_HOSTS: Readonly<Record<string, string>> = {
  '': 'github.com',
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
};

const SHORT = /^(?:(\w+):)?([\w.~-]+\/[\w.-]+)$/;
/** Matches what follows a repository in the address of one of its folders, on GitHub, GitLab and Bitbucket. */
const INSIDE_REPOSITORY = /\/(?:-\/)?(?:tree|blob|src)\/.*$/;

/**
 * Converts the stated address of a repository to one without folder, branch and query. Expands the short spellings of
 * npm. Returns null for an unknown short spelling, and for a value that is empty, too long or not a text.
 */
export function repositoryAddress(stated: unknown): string | null {
  if (typeof stated !== 'string' || stated.length > MAX_ADDRESS_CHARACTERS) return null;
  const text = stated.trim().replace(/[#?].*$/, '');
  const [, prefix = '', path] = SHORT.exec(text) ?? [];
  const host = SHORT_HOSTS[prefix.toLowerCase()];
  if (path !== undefined) return host === undefined ? null : `https://${host}/${path}`;
  return text.replace(INSIDE_REPOSITORY, '').replace(/\/+$/, '') || null;
}

const MAX_ADDRESS_CHARACTERS = 2_048;

/** Returns true for a JSON object; an array and null are none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
