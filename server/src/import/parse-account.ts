import type { ImportedRow } from '../registry/listings/listing-row.ts';
import { lowerCase, normaliseText } from '../subjects/normalise.ts';
import { type PlatformHandle, readPlatformHandle } from '../subjects/platform-handle.ts';
import { ID_PREFIX, isKnownPlatform, platformOnHost } from '../subjects/platforms.ts';
import { fieldsOf, invalid, type Parsed, type RefusedRow, seen, trimmed } from './row-kinds.ts';

/** Reads an account row that its schema has accepted; the platform gets its one name, the handle keeps its case. */
export function parseAccount(imported: ImportedRow): Parsed<'account'> | RefusedRow {
  const field = fieldsOf(imported);
  const found = readHandle(field('platform'), field('handle'));
  if (found === null) return invalid('account', 'handle: must be an account name on its platform');
  const url = field<string | null>('url');
  if (url !== null && !isOnPlatform(url, found.platform))
    return invalid('account', 'url: is not on the platform');
  const formerHandles = (field<string[] | null>('formerHandles') ?? []).map(
    (text) => readHandle(found.platform, text)?.handle,
  );
  if (!formerHandles.every((handle) => handle !== undefined)) {
    return invalid('account', 'formerHandles: must hold account names on the platform');
  }
  const row: Parsed<'account'>['row'] = {
    ...found,
    type: field('type'),
    kind: field('kind'),
    name: seen(field('name')),
    url,
    formerHandles,
    ownerHandle: ownerHandle(trimmed(field('ownerHandle'))),
    platformAccountId: trimmed(field('platformAccountId')),
    accountCreatedAt: field('createdAt'),
    verifiedMark: field('verifiedMark'),
    audience: field('audience'),
    audienceDayGrowth: field('audienceDayGrowth'),
    engagement: field('engagement'),
    lastPostAt: field('lastPostAt'),
    crossLink: field('crossLink'),
    scamFlag: field('scamFlag'),
    observedAt: field('observedAt'),
    source: field('source'),
    imported,
  };
  const keys = [`${row.type} ${row.platform}:${row.handle.toLowerCase()}`];
  if (row.platformAccountId !== null) keys.push(`account id ${row.platform} ${row.platformAccountId}`);
  return { kind: 'account', row, keys };
}

/** `~` marks accounts that lost their handle; a handle in odd characters would look like another's. */
function readHandle(platform: string, text: string): PlatformHandle | null {
  const found = readPlatformHandle(platform, text);
  if (found === null || found.handle.startsWith(ID_PREFIX) || found.handle.includes('~')) return null;
  return normaliseText(found.handle) === lowerCase(found.handle) ? found : null;
}

/** A profile is on the platform's own hosts where they are known: nobody is led elsewhere. */
function isOnPlatform(url: string, platform: string): boolean {
  const { hostname } = new URL(url);
  if (platform.includes('.')) return hostname === platform || hostname.endsWith(`.${platform}`);
  const known = platformOnHost(hostname)?.name ?? (hostname.endsWith('.t.me') ? 'telegram' : null);
  return known === platform || !isKnownPlatform(platform);
}

/** `handle` or `host:handle`, as it is stored. */
function ownerHandle(text: string | null): string | null {
  const [handle = null, host] = text?.replace(/^@/, '').split(':').reverse() ?? [];
  return host === undefined ? handle : `${host.toLowerCase()}:${handle}`;
}
