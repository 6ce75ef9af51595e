import type { Reading } from './address.ts';
import { handleLabel, pathLabel, repositoryLabel } from './labels.ts';
import { DIRECTORY_HOST, type Naming } from './naming.ts';
import { AGENT_ID, isLabel, normaliseText, UUID } from './normalise.ts';
import { readFediverse, readPlatformHandle } from './platform-handle.ts';
import { isKnownPlatform } from './platforms.ts';
import { decodePath, readPrefixed, readRepository, readUrl, splitOnce } from './read-address.ts';
import { readOwnPage } from './read-own-page.ts';
import { readNpmName, readPackageUrl } from './read-package.ts';
import type { SubjectType } from './subject-type.ts';

/**
 * The labels under which a subject of this type may be stored that a caller calls `text`, most exact first; none where
 * the text can't name such a subject. A bare `owner/repo` or handle is tried on each host in order.
 */
export function labelsOf(text: string, type: SubjectType, naming: Naming): string[] {
  return labelsOfReadings(readNames(text, naming), type, naming);
}

/** The labels of a text that is read already. */
export function labelsOfReadings(readings: readonly Reading[], type: SubjectType, naming: Naming): string[] {
  const labels = readings
    .filter((reading) => reading.type === undefined || reading.type === type)
    .flatMap((reading) => labelsOfReading(reading, type, naming));
  return [...new Set(labels)].filter(isLabel);
}

/** What a text may point at, most exact first; nothing for a text that no label can hold. */
export function readNames(text: string, naming: Naming): Reading[] {
  return isLabel(text.trim()) ? readSubject(normaliseText(text), naming) : [];
}

function readSubject(text: string, naming: Naming): Reading[] {
  if (UUID.test(text) || AGENT_ID.test(text)) return [{ kind: 'id', id: text }];
  if (text.startsWith('/')) {
    const [address = '', artifact] = splitOnce(text, '#');
    const [path = ''] = splitOnce(address, '?');
    return readOwnPage(decodePath(path) ?? [], artifact, naming.site);
  }
  if (text.startsWith('@')) {
    if (text.includes('/')) return readNpmName(text);
    return readAtHandle(text);
  }
  // npm and PyPI come before git addresses: `npm:@scope/name` has the shape of `host:owner/repo` too.
  if (/^(?:npm|pypi):/.test(text)) return readPrefixed(text);
  const packageUrl = readPackageUrl(text);
  if (packageUrl) return packageUrl;
  const [platform = '', handle = ''] = splitOnce(text, ':');
  // So does `linkedin:company/name`. A web address has its slashes right behind the colon.
  if (handle !== '' && !handle.startsWith('//') && isKnownPlatform(platform))
    return [{ kind: 'handle', host: platform, handle }];
  const url = readUrl(text, naming);
  if (url) return url;
  const [beforeFragment = ''] = splitOnce(text, '#');
  if (beforeFragment.includes('/')) return readRepository(text);
  if (text.includes(':')) return readPrefixed(text);
  return [
    { kind: 'handle', host: null, handle: text },
    { kind: 'name', name: text },
  ];
}

/** `@handle` anywhere, or `@user@server` and `@user:server` on one. */
function readAtHandle(text: string): Reading[] {
  const account = readFediverse(text.replace(/^@([^@:]+):/, '@$1@'));
  if (account) return [{ kind: 'handle', host: account.platform, handle: account.handle }];
  return [{ kind: 'handle', host: null, handle: text.slice(1) }];
}

function labelsOfReading(reading: Reading, type: SubjectType, naming: Naming): string[] {
  const isInRepository = type === 'agent' || type === 'skill';
  switch (reading.kind) {
    case 'id':
      return [reading.id];
    case 'name':
      return [reading.name];
    case 'package':
      return isInRepository ? [reading.label] : [];
    case 'handle':
      return isInRepository ? [] : handleLabels(reading.host, reading.handle, type, naming);
    case 'repository':
      return isInRepository ? repositoryLabels(reading, naming) : [];
  }
}

function handleLabels(host: string | null, handle: string, type: SubjectType, naming: Naming): string[] {
  if (host !== null && type !== 'creator') {
    const account = readPlatformHandle(host, handle);
    return account ? [handleLabel(account.platform, account.handle)] : [];
  }
  if (handle === '' || /[\s/:@#]/.test(handle)) return [];
  if (host !== null) return [handleLabel(host, handle)];
  if (type !== 'creator') return [`@${handle}`];
  return [
    ...naming.hosts.map((known) => handleLabel(known, handle)),
    `@${handle}`,
    handleLabel(DIRECTORY_HOST, handle),
  ];
}

/** Without artifact or path: the repository's own listing, and after it whatever single artifact it holds. */
function repositoryLabels(reading: Reading & { kind: 'repository' }, naming: Naming): string[] {
  const { repository, artifact, path } = reading;
  const bases =
    reading.host === null
      ? [...naming.hosts.map((host) => repositoryLabel(host, repository)), normaliseText(repository)]
      : [repositoryLabel(reading.host, repository)];
  return bases.flatMap((base) => {
    if (artifact !== null) return [`${base}#${normaliseText(artifact)}`];
    if (path !== null) return [`${base}//${pathLabel(path)}`];
    return [base, `${base}#`];
  });
}
