import { hasOwnPlace } from './naming.ts';
import { AGENT_ID, isLabel, normalisePypiName, normaliseText, UUID } from './normalise.ts';
import { ID_PREFIX } from './platforms.ts';

/**
 * A name that leads to a subject, as stored. `identity`: the subject's own address (id, repository, package, handle);
 * `former`: an address it had before; `name`: what people call it, which others may be called too.
 *
 * Shapes: `<uuid>`, `agt-…`, `host/owner/repo`, `host/owner/repo#artifact`, `host/owner/repo//path`, `host/owner/repo#`
 * (any artifact of it), `npm:name`, `pypi:name`, `host:handle`, `platform:handle`, `platform:id/…` (the platform's own id),
 * and bare words for names. Accounts, and hosts outside the well-known ones, also have each shape without platform or
 * host (`owner/repo`, `@handle`). A package that several listings name belongs to none of them: anyone who inserts leaves
 * `npmPackage`/`pypiPackage` null then.
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
}

export interface ArtifactNames {
  id: string;
  host: string;
  /** `owner/repo` of the listing that holds it. */
  repository: string;
  name: string;
  path: string | null;
  npmPackage: string | null;
  pypiPackage: string | null;
  formerRepositories?: readonly string[];
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
  /** The platform's own id. */
  platformAccountId: string | null;
}

/** `github.com/owner/repo`, lower case: the one label of a repository on its host. */
export function repositoryLabel(host: string, repository: string): string {
  return `${normaliseText(host)}/${normaliseText(repository)}`;
}

/** Every stored name of a listing, its UUID and `AGT-` id included. */
export function listingAliases(listing: ListingNames): Alias[] {
  const { host, repository } = listing;
  const current = [listing.id, listing.agentId, ...onHost(host, repository), ...packageLabels(listing)];
  const former = listing.formerRepositories.flatMap((old) => onHost(host, old));
  return collect(current, former, [repository.split('/').at(-1) ?? '', listing.name]);
}

/** Every stored name of a skill, agent or server inside a listed repository. */
export function artifactAliases(artifact: ArtifactNames): Alias[] {
  const { host, repository, formerRepositories = [] } = artifact;
  const inside = (name: string) => onHost(host, name).flatMap((label) => artifactLabels(label, artifact));
  const current = [artifact.id, ...inside(repository), ...packageLabels(artifact)];
  return collect(current, formerRepositories.flatMap(inside), [artifact.name]);
}

/** Every stored name of a creator: its UUID, handle and display name. */
export function creatorAliases(creator: CreatorNames): Alias[] {
  const host = normaliseText(creator.host);
  const handles = [creator.handle, ...(creator.handleVariants ?? [])].map(normaliseText);
  const labels = handles.flatMap((handle) =>
    hasOwnPlace(host) ? [`${host}:${handle}`] : [`${host}:${handle}`, `@${handle}`],
  );
  return collect([creator.id, ...labels], [], creator.displayName === null ? [] : [creator.displayName]);
}

/**
 * Every stored name of a social or messaging account: its UUID, its handle with and without the platform, the platform's
 * own id, and what it calls itself.
 */
export function accountAliases(account: AccountNames): Alias[] {
  const { platform, platformAccountId } = account;
  const onPlatform = (handle: string) =>
    handle.includes('/') ? [handleLabel(platform, handle)] : [handleLabel(platform, handle), `@${handle}`];
  const ids = platformAccountId === null ? [] : [handleLabel(platform, `${ID_PREFIX}${platformAccountId}`)];
  const current = [account.id, ...onPlatform(account.handle), ...ids];
  return collect(
    current,
    account.formerHandles.flatMap(onPlatform),
    account.name === null ? [] : [account.name],
  );
}

/** The label of an account or creator on its platform. */
export function handleLabel(host: string, handle: string): string {
  return `${normaliseText(host)}:${normaliseText(handle)}`;
}

/** The labels of one artifact below its repository's label. */
function artifactLabels(repository: string, { name, path }: { name: string; path: string | null }): string[] {
  const named = [`${repository}#`, `${repository}#${normaliseText(name)}`];
  const below = path === null ? '' : pathLabel(path);
  return below === '' ? named : [...named, `${repository}//${below}`];
}

/** A path inside a repository as a label part: no leading, trailing or doubled slash; a skill's file is its folder. */
export function pathLabel(path: string): string {
  const parts = normaliseText(path).split('/').filter(Boolean);
  return (parts.at(-1) === 'skill.md' ? parts.slice(0, -1) : parts).join('/');
}

function onHost(host: string, repository: string): string[] {
  const label = repositoryLabel(host, repository);
  return hasOwnPlace(normaliseText(host)) ? [label] : [label, normaliseText(repository)];
}

function packageLabels(names: { npmPackage: string | null; pypiPackage: string | null }): string[] {
  return [
    ...(names.npmPackage === null ? [] : [`npm:${normaliseText(names.npmPackage)}`]),
    ...(names.pypiPackage === null ? [] : [`pypi:${normalisePypiName(names.pypiPackage)}`]),
  ];
}

/** A display name shaped like an address would shadow it, so it leads nowhere. */
function isPlainName(name: string): boolean {
  return !/[/:]|^@/.test(name) && !UUID.test(name) && !AGENT_ID.test(name);
}

function collect(identities: string[], former: string[], names: string[]): Alias[] {
  const aliases = new Map<string, Alias>();
  const add = (label: string, kind: Alias['kind']) => {
    if (isLabel(label) && !aliases.has(label)) aliases.set(label, { label, kind });
  };
  for (const label of identities) add(normaliseText(label), 'identity');
  for (const label of former) add(normaliseText(label), 'former');
  for (const name of names.map(normaliseText).filter(isPlainName)) add(name, 'name');
  return [...aliases.values()];
}
