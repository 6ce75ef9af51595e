import type { HostApi } from '../../platform/config/known-hosts.ts';
import type { Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import {
  bitbucketDetails,
  type DetailsReader,
  forgejoDetails,
  githubDetails,
  gitlabDetails,
  type KnownRepository,
  type OwnerAccount,
  type Releases,
} from '../readers/repository-details.ts';
import {
  firstLineOfReadme,
  MANIFESTS,
  type ManifestPackage,
  readmeAmong,
} from '../readers/repository-files.ts';
import {
  type AnswerMemory,
  type AskHost,
  conditionalRequests,
  type RateLimit,
  requestHost,
} from '../request-host.ts';

/**
 * Facts about a repository that are not part of the host's main record of it. Null means unknown, never "none", except
 * in `readmeLine`.
 */
export interface RepositoryDetails {
  readonly releases: Releases | null;
  readonly contributors: number | null;
  readonly securityPolicy: { readonly present: boolean; readonly path: string | null } | null;
  readonly owner: OwnerAccount | null;
  readonly manifests: readonly (ManifestPackage & { readonly path: string })[] | null;
  /** First line of prose of the README; null without one, or if it was not requested. */
  readonly readmeLine: string | null;
  /** Web page on which people can see each fact. */
  readonly pages: Readonly<Record<'releases' | 'contributors' | 'files', string>>;
}

interface DetailsRequest {
  readonly folders: readonly string[];
  readonly readsReadme?: boolean;
  readonly memory: AnswerMemory;
  readonly signal: AbortSignal;
}

export interface DetailsResponse {
  readonly details: RepositoryDetails;
  readonly memory: AnswerMemory;
  readonly requests: number;
  readonly rateLimit: RateLimit;
}

const READERS: Partial<Record<HostApi, DetailsReader>> = {
  github: githubDetails,
  gitlab: gitlabDetails,
  forgejo: forgejoDetails,
  bitbucket: bitbucketDetails,
};

/** Returns true if the details of repositories of the host can be read. */
export function readsRepositoryDetails(hosts: Hosts, host: string): boolean {
  const endpoint = hosts.endpointOf(host);
  return endpoint !== null && READERS[endpoint.api] !== undefined;
}

/** Maximum number of folders, in addition to the root, that are searched for manifests. */
const MAX_FOLDERS = 2;
/** Names of security policies and of folders that may contain one. Names are compared in lower case. */
const SECURITY_POLICY = /^security(?:\.(?:md|txt|rst|adoc))?$/;
const POLICY_FOLDERS = ['.github', '.gitlab', 'docs'];

/**
 * Reads releases, contributors, security policy, owner and manifests of a repository, in at most 20 conditional
 * requests. Searches up to two `folders` for manifests, too. Reads the README's first line only if `readsReadme` is
 * set. A fact is unknown if the host does not show it in the documented form. Rejects with a HostFailure if the host is
 * unavailable, limits requests or no longer has the repository.
 */
export async function readRepositoryDetails(
  hosts: Hosts,
  of: KnownRepository,
  { folders, readsReadme = false, memory, signal }: DetailsRequest,
): Promise<DetailsResponse> {
  const endpoint = hosts.endpointOf(of.host);
  const reader = endpoint && READERS[endpoint.api];
  if (!endpoint || !reader) {
    throw new HostFailure('unreadable', `This server cannot read repositories on ${of.host}.`);
  }
  const { ask, result } = conditionalRequests(
    (path, request) => requestHost(hosts, endpoint, path, { ...request, signal }),
    memory,
  );
  const details = await readParts(reader, ask, of, folders.slice(0, MAX_FOLDERS), readsReadme);
  return { details, ...result() };
}

async function readParts(
  reader: DetailsReader,
  ask: AskHost,
  of: KnownRepository,
  folders: readonly string[],
  readsReadme: boolean,
): Promise<RepositoryDetails> {
  await reader.identify?.(ask, of);
  const missing: boolean[] = [];
  const part = <Value>(reading: Promise<Value> | undefined): Promise<Value | null> =>
    unlessUnusable(reading, (isMissing) => void missing.push(isMissing));
  const releases = await part(reader.releases?.(ask, of));
  const contributors = await part(reader.contributors?.(ask, of));
  const root = await part(relevantNames(reader, ask, of, ''));
  if (missing.every(Boolean)) throw new HostFailure('not_found', `${of.host} has no entry with that name.`);
  const securityPolicy = root && (await readPolicy(reader, ask, of, root));
  const manifests = root && (await readManifests(reader, ask, of, root, folders));
  const readme = readsReadme && root !== null ? readmeAmong(root) : undefined;
  const readmeLine = readme === undefined ? null : await readReadme(reader, ask, of, readme);
  const owner = of.hostOwnerId === null ? null : await part(reader.owner(ask, of, of.hostOwnerId));
  const site = `https://${of.host}/${of.repository}`;
  const { pages } = reader;
  return {
    ...{ releases, contributors, securityPolicy, owner, manifests, readmeLine },
    pages: {
      releases: `${site}${pages.releases}`,
      contributors: `${site}${pages.contributors}`,
      files: `${site}${pages.files}`,
    },
  };
}

/**
 * Returns the value, or null if the host answers "not found" or in an undocumented form. Calls `onEnd` with true for
 * "not found", otherwise with false. Rethrows other failures; the whole reading is then repeated later.
 */
async function unlessUnusable<Value>(
  reading: Promise<Value> | undefined,
  onEnd: (isMissing: boolean) => void = () => undefined,
): Promise<Value | null> {
  if (reading === undefined) return null;
  try {
    const value = await reading;
    onEnd(false);
    return value;
  } catch (error) {
    if (!(error instanceof HostFailure) || !['not_found', 'unusable'].includes(error.kind)) throw error;
    onEnd(error.kind === 'not_found');
    return null;
  }
}

/**
 * Returns true for the name of a manifest file. Checks own properties only, because a repository may have a file named
 * `constructor`.
 */
function isManifest(name: string): boolean {
  return Object.hasOwn(MANIFESTS, name);
}

/**
 * Returns the names in a folder that can be manifests, READMEs, security policies, or folders with a policy; null if
 * the host shows only a part of the folder.
 */
async function relevantNames(
  reader: DetailsReader,
  ask: AskHost,
  of: KnownRepository,
  folder: string,
): Promise<string[] | null> {
  const names = await reader.namesIn(ask, of, folder);
  const isRelevant = (name: string) =>
    isManifest(name) ||
    readmeAmong([name]) !== undefined ||
    SECURITY_POLICY.test(name.toLowerCase()) ||
    POLICY_FOLDERS.includes(name.toLowerCase());
  return names?.filter(isRelevant) ?? null;
}

/** Looks for a security policy in the places where hosts find one: the root, `.github`, `.gitlab` and `docs`. */
async function readPolicy(
  reader: DetailsReader,
  ask: AskHost,
  of: KnownRepository,
  root: readonly string[],
): Promise<RepositoryDetails['securityPolicy']> {
  const policyIn = (names: readonly string[]) =>
    names.find((name) => SECURITY_POLICY.test(name.toLowerCase()));
  const own = policyIn(root);
  if (own !== undefined) return { present: true, path: own };
  for (const folder of root.filter((name) => POLICY_FOLDERS.includes(name.toLowerCase()))) {
    const names = await unlessUnusable(relevantNames(reader, ask, of, folder));
    if (names === null) return null;
    const inside = policyIn(names);
    if (inside !== undefined) return { present: true, path: `${folder}/${inside}` };
  }
  return { present: false, path: null };
}

function readReadme(
  reader: DetailsReader,
  ask: AskHost,
  of: KnownRepository,
  name: string,
): Promise<string | null> {
  const { path, accept } = reader.file(of, name);
  return unlessUnusable(ask(path, ({ body }) => firstLineOfReadme(body), { accept }));
}

async function readManifests(
  reader: DetailsReader,
  ask: AskHost,
  of: KnownRepository,
  root: readonly string[],
  folders: readonly string[],
): Promise<RepositoryDetails['manifests']> {
  const paths = root.filter(isManifest);
  for (const folder of folders) {
    const names = (await unlessUnusable(relevantNames(reader, ask, of, folder))) ?? [];
    paths.push(...names.filter(isManifest).map((name) => `${folder}/${name}`));
  }
  const found: (ManifestPackage & { path: string })[] = [];
  for (const path of paths) {
    const parse = MANIFESTS[path.slice(path.lastIndexOf('/') + 1)] ?? (() => []);
    const file = reader.file(of, path);
    let isMissing = false;
    const reading = ask(file.path, ({ body }) => parse(body), { accept: file.accept });
    const packages = await unlessUnusable(reading, (isSo) => {
      isMissing = isSo;
    });
    // A file that cannot be read may name a package, so the list of packages is unknown.
    if (packages === null && !isMissing) return null;
    found.push(...(packages ?? []).map((each) => ({ ...each, path })));
  }
  return found;
}
