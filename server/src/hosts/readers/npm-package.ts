import compareSemver from 'semver/functions/compare.js';
import parseSemver from 'semver/functions/parse.js';
import { HostFailure } from '../host-account.ts';
import { AnswerTooLarge, type HostRequest, type HostResponse } from '../request-host.ts';
import {
  cleanCount,
  cleanTime,
  createAnswerCheck,
  createAnswerParser,
  optionalSchema,
  parseJson,
} from '../untrusted-answers.ts';
import { type HostApiClient, ignoreNoContent } from './account-reader.ts';
import {
  isObject,
  type PackageReading,
  provenanceOf,
  RECORD_LIMITS,
  releaseTimes,
  repositoryAddress,
} from './package-reading.ts';
import { escapePath } from './repository-reading.ts';

const checkPackument = createAnswerCheck({
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 214 },
    'dist-tags': { type: ['object', 'null'] },
    versions: { type: ['object', 'null'] },
    time: { type: ['object', 'null'] },
    modified: optionalSchema('string'),
    repository: {},
  },
});

const readDownloads = createAnswerParser({
  type: 'object',
  required: ['downloads'],
  properties: { downloads: { type: 'integer' }, package: optionalSchema('string') },
});

/**
 * Media type of the abbreviated packument (here: short form), which npm clients request. It has neither texts nor
 * times.
 */
const SHORT_FORM = 'application/vnd.npm.install-v1+json';

/**
 * Reads a packument, the registry's record of a package. A packument beyond the size limit is read in its short form.
 * Its repository is then read from the latest version, and its release times are unknown. `reading` is null if nothing
 * has changed since the last answer.
 */
export async function readNpmPackage(
  from: HostApiClient,
  name: string,
  question: HostRequest,
): Promise<{ reading: PackageReading | null; answer: HostResponse }> {
  const path = `/${encodeURIComponent(name)}`;
  const limits = { ...RECORD_LIMITS, ...(question.signal ? { signal: question.signal } : {}) };
  try {
    const answer = await from.request(path, { ...question, ...RECORD_LIMITS });
    const reading = answer.notModified ? null : readPackument(parseJson(answer.body), from.host, name);
    return { reading, answer };
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    const answer = await from.request(path, { ...limits, accept: SHORT_FORM });
    const latest = await from.request(`${path}/latest`, limits).catch(ignoreNoContent);
    const { repository } = asObject(latest && parseJson(latest.body));
    const short = { ...asObject(parseJson(answer.body)), repository };
    // The validators belong to the short form, so they are dropped, and the next request is answered in full.
    const validators = { etag: null, lastModified: null };
    return { reading: readPackument(short, from.host, name), answer: { ...answer, validators } };
  }
}

/** Reads the number of downloads in the last month; returns null if npm has no such figure or cannot be read. */
export async function readNpmDownloads(
  from: HostApiClient,
  name: string,
  question: HostRequest,
): Promise<number | null> {
  const answer = await from
    .request(`/downloads/point/last-month/${escapePath(name)}`, question)
    .then(({ body }) => readDownloads(body, from.host))
    .catch(ignoreHostFailure);
  if (answer === null) return null;
  const { downloads, package: answered = name } = answer;
  return answered === name ? cleanCount(downloads) : null;
}

/** Returns null for any failure of the host, so that missing download counts do not fail a whole reading. */
function ignoreHostFailure(error: unknown): null {
  if (error instanceof HostFailure) return null;
  throw error;
}

interface Version {
  readonly version: string;
  readonly releasedAt: string | null;
  readonly isAttested: boolean;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/**
 * Converts a packument to a reading. `asked` is the requested name; null accepts any. Throws HostFailure `not_found`
 * for a package without any version left, and `moved` if the packument is of another package.
 */
export function readPackument(value: unknown, host: string, asked: string | null = null): PackageReading {
  const packument = checkPackument(value, host);
  const { name, repository } = packument;
  if (asked !== null && name !== asked) {
    throw new HostFailure('moved', `${host} answered about a different package than requested.`);
  }
  const manifests = Object.entries(asObject(packument.versions));
  if (manifests.length === 0) throw new HostFailure('not_found', `${host} has no version of that package.`);
  const times = asObject(packument.time);
  const stable = manifests.flatMap(([version, manifest]): Version[] =>
    isStable(version) && isObject(manifest)
      ? [{ version, manifest, releasedAt: timeOf(times[version]), isAttested: isAttested(manifest) }]
      : [],
  );
  const { latest: tagged } = asObject(packument['dist-tags']);
  const latest = latestOf(stable, tagged);
  const { created: _, modified = packument.modified, ...released } = times;
  const versionTimes = releaseTimes(
    Object.entries(released).flatMap(([version, at]) =>
      parseSemver(version) === null ? [] : [[version, timeOf(at)] as const],
    ),
  );
  const common = {
    name,
    defaultVersion: manifests.some(([version]) => version === tagged && !isStable(version))
      ? String(tagged)
      : null,
    versionTimes,
    modifiedAt:
      timeOf(modified) ??
      Object.values(versionTimes ?? {})
        .sort()
        .at(-1) ??
      null,
  };
  if (latest === null) {
    const unknown = { version: null, releasedAt: null, provenance: null, deprecated: null };
    return { ...common, ...unknown, repositoryUrls: addressesOf(repository) };
  }
  const { version, releasedAt, manifest } = latest;
  return {
    ...common,
    version,
    releasedAt,
    repositoryUrls: addressesOf(manifest.repository ?? repository),
    provenance: isObject(manifest.dist) ? provenanceOf(latest, stable) : null,
    deprecated: isDeprecated(manifest.deprecated),
  };
}

/** Returns the version that npm installs by default, if it is stable; otherwise the highest stable one. */
function latestOf(stable: readonly Version[], tagged: unknown): Version | null {
  const isTagged = stable.find(({ version }) => version === tagged);
  if (isTagged !== undefined) return isTagged;
  const sorted = [...stable].sort((one, other) => compareSemver(one.version, other.version));
  return sorted.at(-1) ?? null;
}

function isStable(version: string): boolean {
  return parseSemver(version)?.prerelease.length === 0;
}

/** Returns true if the registry holds an attestation of how the version was built. */
function isAttested({ dist }: Readonly<Record<string, unknown>>): boolean {
  return isObject(dist) && isObject(dist.attestations);
}

function isDeprecated(deprecated: unknown): boolean {
  return typeof deprecated === 'string' ? deprecated.trim() !== '' : deprecated === true;
}

/** Returns the address in a repository field, which is a text or an object with a `url`; empty without an address. */
function addressesOf(repository: unknown): string[] {
  const address = repositoryAddress(isObject(repository) ? repository.url : repository);
  return address === null ? [] : [address];
}

function timeOf(value: unknown): string | null {
  return typeof value === 'string' ? cleanTime(value) : null;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
