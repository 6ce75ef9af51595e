import { HostFailure } from '../host-account.ts';
import type { HostRequest, HostResponse } from '../request-host.ts';
import { cleanTime, createAnswerCheck, optionalSchema, parseJson } from '../untrusted-answers.ts';
import { type HostApiClient, ignoreNoContent } from './account-reader.ts';
import {
  isObject,
  type PackageReading,
  provenanceOf,
  RECORD_LIMITS,
  releaseTimes,
  repositoryAddress,
} from './package-reading.ts';

const checkProject = createAnswerCheck({
  type: 'object',
  required: ['info'],
  properties: {
    info: {
      type: 'object',
      required: ['name', 'version'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 214 },
        version: { type: 'string', minLength: 1, maxLength: 200 },
        yanked: optionalSchema('boolean'),
        home_page: optionalSchema('string'),
        project_urls: { type: ['object', 'null'] },
      },
    },
    urls: { type: ['array', 'null'], items: {} },
    releases: { type: ['object', 'null'] },
  },
});

const checkIndex = createAnswerCheck({
  type: 'object',
  required: ['files'],
  properties: {
    files: { type: 'array', items: {} },
    'project-status': { type: ['object', 'null'], properties: { status: optionalSchema('string') } },
  },
});

/**
 * Media type of the JSON form of the index that installers use. The index shows provenance, which the JSON API does
 * not.
 */
const INDEX_FORM = 'application/vnd.pypi.simple.v1+json';

/** Statuses of projects from which new installations are discouraged or impossible. */
const ENDED = new Set(['archived', 'deprecated', 'quarantined']);

/**
 * Reads a project of PyPI, and the provenance of its files from the index. `reading` is null if nothing has changed
 * since the last answer.
 */
export async function readPypiPackage(
  from: HostApiClient,
  name: string,
  question: HostRequest,
): Promise<{ reading: PackageReading | null; answer: HostResponse }> {
  const path = encodeURIComponent(name);
  const limits = { ...RECORD_LIMITS, followRename: true };
  const answer = await from.request(`/pypi/${path}/json`, { ...question, ...limits });
  if (answer.notModified) return { reading: null, answer };
  const project = parseJson(answer.body);
  const { signal } = question;
  const index = await from
    .request(`/simple/${path}/`, { accept: INDEX_FORM, ...limits, ...(signal ? { signal } : {}) })
    .catch(ignoreNoContent);
  return { reading: readProject(project, from.host, name, index && parseJson(index.body)), answer };
}

/**
 * Converts a project's record to a reading. `asked` is the requested name; null accepts any. `index` is the project's
 * index, if it was read. Throws HostFailure `moved` for another project.
 */
export function readProject(
  value: unknown,
  host: string,
  asked: string | null = null,
  index: unknown = null,
): PackageReading {
  const { info, urls, releases } = checkProject(value, host);
  if (asked !== null && normalised(info.name) !== normalised(asked)) {
    throw new HostFailure('moved', `${host} answered about a different project than requested.`);
  }
  const files = (urls ?? []).flatMap(fileOf);
  const listed = index === null || index === undefined ? null : checkIndex(index, host);
  const releasedAt = files.flatMap((file) => file.releasedAt ?? []).sort()[0] ?? null;
  const repositoryUrls = addressesOf(info.project_urls, info.home_page);
  const versionTimes = releaseTimes(
    Object.entries({ ...(isObject(releases) ? releases : {}), [info.version.trim()]: urls ?? [] }).map(
      ([version, released]) => [version, firstTime(released)] as const,
    ),
  );
  const modifiedAt = [...Object.values(versionTimes ?? {})].sort().at(-1) ?? null;
  const common = { name: info.name, defaultVersion: null, versionTimes, modifiedAt };
  if (!STABLE.test(info.version)) {
    // PyPI gives a pre-release as the project's version only if the project has no stable one, so the fields about the
    // stable version are null.
    const unknown = { version: null, releasedAt: null, provenance: null, deprecated: null };
    return { ...common, ...unknown, repositoryUrls };
  }
  const hasEnded = ENDED.has(listed?.['project-status']?.status ?? '');
  return {
    ...common,
    version: info.version.trim(),
    releasedAt,
    repositoryUrls,
    provenance: provenanceOfFiles(files, releasedAt, listed?.files ?? []),
    deprecated: typeof info.yanked === 'boolean' || hasEnded ? info.yanked === true || hasEnded : null,
  };
}

/** Matches a final or post-release by PEP 440. */
const STABLE =
  /^\s*v?(?:\d+!)?\d+(?:\.\d+)*(?:[-_.]?(?:post|rev|r)[-_.]?\d*|-\d+)?(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?\s*$/i;

interface PypiFile {
  readonly name: string;
  readonly releasedAt: string | null;
  /** Null if the answer does not say. */
  readonly isAttested: boolean | null;
}

function fileOf(value: unknown): PypiFile[] {
  if (!isObject(value) || typeof value.filename !== 'string') return [];
  const at = value.upload_time_iso_8601 ?? value['upload-time'] ?? utc(value.upload_time);
  const { provenance } = value;
  const isAttested = provenance === undefined ? null : typeof provenance === 'string' || isObject(provenance);
  return [{ name: value.filename, releasedAt: typeof at === 'string' ? cleanTime(at) : null, isAttested }];
}

/** Adds the zone to a time of the oldest field, which PyPI writes in UTC without a zone. */
function utc(time: unknown): string | null {
  return typeof time === 'string' ? `${time}Z` : null;
}

/** Returns when the first file of a release was uploaded; null without a known time. */
function firstTime(files: unknown): string | null {
  const times = (Array.isArray(files) ? files : []).flatMap(fileOf).flatMap((file) => file.releasedAt ?? []);
  return times.sort()[0] ?? null;
}

/**
 * Compares the provenance of a version's files with that of other final releases' files in the index. Returns null if
 * no answer says whether the version's files have provenance.
 */
function provenanceOfFiles(
  own: readonly PypiFile[],
  releasedAt: string | null,
  index: readonly unknown[],
): PackageReading['provenance'] {
  const listed = index.flatMap(fileOf);
  const names = new Set(own.map(({ name }) => name));
  const known = [...own, ...listed.filter(({ name }) => names.has(name))].filter(
    ({ isAttested }) => isAttested !== null,
  );
  if (known.length === 0) return null;
  const isAttested = known.some((file) => file.isAttested === true);
  const others = listed.filter(({ name }) => !names.has(name) && isOfFinalRelease(name));
  return provenanceOf(
    { releasedAt, isAttested },
    others.map((file) => ({ releasedAt: file.releasedAt, isAttested: file.isAttested === true })),
  );
}

/** Returns false for files of pre-releases, which may be built differently. */
function isOfFinalRelease(filename: string): boolean {
  return !/-\d[\d.]*[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview|dev)\d*(?=[-.])/i.test(filename);
}

/** Labels of project URLs that PyPI treats as the source or as the home page, without spaces and punctuation. */
const SOURCE_LABELS = ['source', 'repository', 'sourcecode', 'code', 'github', 'gitlab', 'git'];
const HOME_LABELS = ['homepage', 'home'];

/** Returns the addresses of a project that may be its repository, those labelled as the source first. */
function addressesOf(urls: unknown, homePage: string | null | undefined): string[] {
  const labelled = Object.entries(isObject(urls) ? urls : {}).map(
    ([label, url]) => [label.toLowerCase().replace(/[^a-z0-9]+/g, ''), url] as const,
  );
  const named = (labels: readonly string[]) =>
    labels.flatMap((label) => labelled.filter(([each]) => each === label).map(([, url]) => url));
  const stated = [...named(SOURCE_LABELS), ...named(HOME_LABELS), homePage];
  // Short spellings such as `owner/name` are not accepted, unlike at npm.
  const web = stated.filter((url): url is string => typeof url === 'string' && /^https?:/i.test(url.trim()));
  return [...new Set(web.flatMap((url) => repositoryAddress(url) ?? []))];
}

/** Normalises a project name as in PEP 503. */
function normalised(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}
