import type { SubjectType } from '../../scoring/subject-type.ts';
import { AGENT_ID, isValidAlias, normaliseText, UUID } from './normalise.ts';
import { isKnownPlatform, readFediverse, readPlatformHandle } from './platforms.ts';
import { DIRECTORY_HOST, type PublicUrls } from './public-path.ts';
import {
  decodePath,
  type ParsedAddress,
  readNpmName,
  readPackageUrl,
  readPrefixed,
  readRepository,
  readUrl,
  splitOnce,
} from './read-address.ts';
import { readOwnPage } from './read-host-id.ts';
import { handleAlias, pathAlias, repositoryAlias } from './stored-aliases.ts';

/**
 * Returns the aliases under which a subject of this type may be stored for `text`, most specific first. Returns none
 * if the text cannot name a subject of this type. A bare `owner/repo` or handle yields one alias per host, in order.
 */
export function aliasesOf(text: string, type: SubjectType, publicUrls: PublicUrls): string[] {
  return aliasesOfAddresses(parseAddresses(text, publicUrls), type, publicUrls);
}

/** Returns the aliases of text that is already parsed. */
export function aliasesOfAddresses(
  readings: readonly ParsedAddress[],
  type: SubjectType,
  publicUrls: PublicUrls,
): string[] {
  const labels = readings
    .filter((reading) => reading.type === undefined || reading.type === type)
    .flatMap((reading) => aliasesOfAddress(reading, type, publicUrls));
  return [...new Set(labels)].filter(isValidAlias);
}

/** Parses a text into addresses, most specific first. Returns none if the text cannot be an alias. */
export function parseAddresses(text: string, publicUrls: PublicUrls): ParsedAddress[] {
  return isValidAlias(text.trim()) ? readSubject(normaliseText(text), publicUrls) : [];
}

function readSubject(text: string, publicUrls: PublicUrls): ParsedAddress[] {
  if (UUID.test(text) || AGENT_ID.test(text)) return [{ kind: 'id', id: text }];
  if (text.startsWith('/')) {
    const [address = '', artifact] = splitOnce(text, '#');
    const [path = ''] = splitOnce(address, '?');
    return readOwnPage(decodePath(path) ?? [], artifact, publicUrls.site);
  }
  if (text.startsWith('@')) {
    if (text.includes('/')) return readNpmName(text);
    return readAtHandle(text);
  }
  // Read npm and PyPI before git addresses: `npm:@scope/name` also has the shape of `host:owner/repo`.
  if (/^(?:npm|pypi):/.test(text)) return readPrefixed(text);
  const packageUrl = readPackageUrl(text);
  if (packageUrl) return packageUrl;
  const [platform = '', handle = ''] = splitOnce(text, ':');
  // Read platforms before web addresses: `linkedin:company/name` also looks like a git address. In a web address,
  // slashes follow the colon.
  if (handle !== '' && !handle.startsWith('//') && isKnownPlatform(platform))
    return [{ kind: 'handle', host: platform, handle }];
  const url = readUrl(text, publicUrls);
  if (url) return url;
  const [beforeFragment = ''] = splitOnce(text, '#');
  if (beforeFragment.includes('/')) return readRepository(text);
  if (text.includes(':')) return readPrefixed(text);
  return [
    { kind: 'handle', host: null, handle: text },
    { kind: 'name', name: text },
  ];
}

/** Parses `@handle` (on any host), and `@user@server` or `@user:server` (on one server). */
function readAtHandle(text: string): ParsedAddress[] {
  const account = readFediverse(text.replace(/^@([^@:]+):/, '@$1@'));
  if (account) return [{ kind: 'handle', host: account.platform, handle: account.handle }];
  return [{ kind: 'handle', host: null, handle: text.slice(1) }];
}

function aliasesOfAddress(reading: ParsedAddress, type: SubjectType, publicUrls: PublicUrls): string[] {
  const isInRepository = type === 'agent' || type === 'skill';
  switch (reading.kind) {
    case 'id':
      return [reading.id];
    case 'name':
      return [reading.name];
    case 'package':
      return isInRepository ? [reading.label] : [];
    case 'handle':
      return isInRepository ? [] : handleAliases(reading.host, reading.handle, type, publicUrls);
    case 'repository':
      return isInRepository ? repositoryAliases(reading, publicUrls) : [];
  }
}

function handleAliases(
  host: string | null,
  handle: string,
  type: SubjectType,
  publicUrls: PublicUrls,
): string[] {
  if (host !== null && type !== 'creator') {
    const account = readPlatformHandle(host, handle);
    return account ? [handleAlias(account.platform, account.handle)] : [];
  }
  if (handle === '' || /[\s/:@#]/.test(handle)) return [];
  if (host !== null) return [handleAlias(host, handle)];
  if (type !== 'creator') return [`@${handle}`];
  return [
    ...publicUrls.hosts.map((known) => handleAlias(known, handle)),
    `@${handle}`,
    handleAlias(DIRECTORY_HOST, handle),
  ];
}

/**
 * Returns the aliases of a repository address. An address without artifact or path means the listing of the repository
 * or, if there is none, the only artifact inside the repository.
 */
function repositoryAliases(
  reading: ParsedAddress & { kind: 'repository' },
  publicUrls: PublicUrls,
): string[] {
  const { repository, artifact, path } = reading;
  const bases =
    reading.host === null
      ? [...publicUrls.hosts.map((host) => repositoryAlias(host, repository)), normaliseText(repository)]
      : [repositoryAlias(reading.host, repository)];
  return bases.flatMap((base) => {
    if (artifact !== null) return [`${base}#${normaliseText(artifact)}`];
    if (path !== null) return [`${base}//${pathAlias(path)}`];
    return [base, `${base}#`];
  });
}
