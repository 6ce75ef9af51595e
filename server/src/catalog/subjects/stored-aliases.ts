import { AGENT_ID, isValidAlias, normalisePypiName, normaliseText, UUID } from './normalise.ts';
import { ID_PREFIX } from './platforms.ts';
import { isDefaultHost } from './public-path.ts';

/**
 * A stored name of a subject. A package that several listings claim belongs to the one for which it is confirmed, or to
 * none of them. For a listing to which the package does not belong, callers pass null as `npmPackage`/`pypiPackage`.
 * - Kinds: `identity` is the subject's current address (id, repository, package, handle), `former` an earlier address,
 *   and `name` a display name, which several subjects may share.
 * - Shapes: `<uuid>`, `agt-…`, `host/owner/repo`, `host/owner/repo#artifact`, `host/owner/repo//path`,
 *   `host/owner/repo#` (any artifact of it), `npm:name`, `pypi:name`, `host:handle`, `platform:handle`, `platform:id/…`
 *   (the platform's own id), and plain words for names.
 * - Platform accounts also have their handles without the platform (`@handle`), except handles with a slash. Subjects
 *   on hosts without `isDefaultHost` also have each shape without the host (`owner/repo`, `@handle`).
 */
export interface Alias {
  label: string;
  kind: 'identity' | 'former' | 'name';
}

export interface ListingNames {
  id: string;
  agentId: string;
  host: string;
  repository: string;
  name: string;
  npmPackage: string | null;
  pypiPackage: string | null;
  formerRepositories: readonly string[];
  /** Ids of listings that were merged into this one. */
  formerIds?: readonly string[];
}

export interface ArtifactNames {
  id: string;
  host: string;
  /** `owner/repo` of the listing that contains the artifact. */
  repository: string;
  name: string;
  path: string | null;
  npmPackage: string | null;
  pypiPackage: string | null;
  formerRepositories?: readonly string[];
  /** Other names that sources give the artifact. */
  otherNames?: readonly string[];
  /** UUIDs of artifacts that were merged into this one. */
  formerIds?: readonly string[];
}

export interface CreatorNames {
  id: string;
  host: string;
  handle: string;
  displayName: string | null;
  handleVariants?: readonly string[];
}

export interface AccountNames {
  id: string;
  platform: string;
  handle: string;
  name: string | null;
  formerHandles: readonly string[];
  /** The platform's own account id. */
  platformAccountId: string | null;
}

/** Returns the alias of a repository on its host: `github.com/owner/repo`, lower case. */
export function repositoryAlias(host: string, repository: string): string {
  return `${normaliseText(host)}/${normaliseText(repository)}`;
}

/** Returns all aliases of a listing, including its UUID and its `AGT-` id. */
export function listingAliases(listing: ListingNames): Alias[] {
  const { host, repository } = listing;
  const current = [listing.id, listing.agentId, ...onHost(host, repository), ...packageAliases(listing)];
  const former = listing.formerRepositories.flatMap((old) => onHost(host, old));
  return collectAliases(
    current,
    [...former, ...(listing.formerIds ?? [])],
    [repository.split('/').at(-1) ?? '', listing.name],
  );
}

/** Returns all aliases of a skill, agent or server inside a listed repository. */
export function artifactAliases(artifact: ArtifactNames): Alias[] {
  const { host, repository, formerRepositories = [], otherNames = [], formerIds = [] } = artifact;
  const inside = (name: string) => onHost(host, name).flatMap((label) => aliasesBelow(label, artifact));
  const current = [artifact.id, ...inside(repository), ...packageAliases(artifact)];
  const former = [...formerRepositories.flatMap(inside), ...formerIds];
  return collectAliases(current, former, [artifact.name, ...otherNames]);
}

/** Returns all aliases of a creator: UUID, handles and display name. */
export function creatorAliases(creator: CreatorNames): Alias[] {
  const host = normaliseText(creator.host);
  const handles = [creator.handle, ...(creator.handleVariants ?? [])].map(normaliseText);
  const labels = handles.flatMap((handle) =>
    isDefaultHost(host) ? [`${host}:${handle}`] : [`${host}:${handle}`, `@${handle}`],
  );
  return collectAliases(
    [creator.id, ...labels],
    [],
    creator.displayName === null ? [] : [creator.displayName],
  );
}

/**
 * Returns all aliases of a platform account: UUID, handle with the platform and (if it has no slash) without it, the
 * platform's account id, and display name.
 */
export function accountAliases(account: AccountNames): Alias[] {
  const { platform, platformAccountId } = account;
  const onPlatform = (handle: string) =>
    handle.includes('/') ? [handleAlias(platform, handle)] : [handleAlias(platform, handle), `@${handle}`];
  const ids = platformAccountId === null ? [] : [handleAlias(platform, `${ID_PREFIX}${platformAccountId}`)];
  const current = [account.id, ...onPlatform(account.handle), ...ids];
  return collectAliases(
    current,
    account.formerHandles.flatMap(onPlatform),
    account.name === null ? [] : [account.name],
  );
}

/** Returns the alias of an account or creator on its host or platform. */
export function handleAlias(host: string, handle: string): string {
  return `${normaliseText(host)}:${normaliseText(handle)}`;
}

/** Returns the aliases of one artifact, each with its repository's alias as prefix. */
function aliasesBelow(
  repository: string,
  { name, path, otherNames = [] }: Pick<ArtifactNames, 'name' | 'path' | 'otherNames'>,
): string[] {
  const names = [name, ...otherNames].map((each) => `${repository}#${normaliseText(each)}`);
  const named = [`${repository}#`, ...names];
  const below = path === null ? '' : pathAlias(path);
  return below === '' ? named : [...named, `${repository}//${below}`];
}

/**
 * Normalises a path inside a repository: without leading, trailing or double slashes. A path to `skill.md` means its
 * folder.
 */
export function pathAlias(path: string): string {
  const parts = normaliseText(path).split('/').filter(Boolean);
  return (parts.at(-1) === 'skill.md' ? parts.slice(0, -1) : parts).join('/');
}

function onHost(host: string, repository: string): string[] {
  const label = repositoryAlias(host, repository);
  return isDefaultHost(normaliseText(host)) ? [label] : [label, normaliseText(repository)];
}

function packageAliases(names: { npmPackage: string | null; pypiPackage: string | null }): string[] {
  return [
    ...(names.npmPackage === null ? [] : [`npm:${normaliseText(names.npmPackage)}`]),
    ...(names.pypiPackage === null ? [] : [`pypi:${normalisePypiName(names.pypiPackage)}`]),
  ];
}

/** Returns false for a display name that looks like an address, because it would hide the subject with this address. */
function isPlainName(name: string): boolean {
  return !/[/:]|^@/.test(name) && !UUID.test(name) && !AGENT_ID.test(name);
}

function collectAliases(identities: string[], former: string[], names: string[]): Alias[] {
  const aliases = new Map<string, Alias>();
  const add = (label: string, kind: Alias['kind']) => {
    if (isValidAlias(label) && !aliases.has(label)) aliases.set(label, { label, kind });
  };
  for (const label of identities) add(normaliseText(label), 'identity');
  for (const label of former) add(normaliseText(label), 'former');
  for (const name of names.map(normaliseText).filter(isPlainName)) add(name, 'name');
  return [...aliases.values()];
}
