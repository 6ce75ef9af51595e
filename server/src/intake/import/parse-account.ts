import type { ImportedRow } from '../../catalog/listings/listing-row.ts';
import { lowerCase, normaliseText } from '../../catalog/subjects/normalise.ts';
import {
  ID_PREFIX,
  isKnownPlatform,
  type PlatformHandle,
  platformOnHost,
  readPlatformHandle,
} from '../../catalog/subjects/platforms.ts';
import {
  cleanDisplayName,
  fieldsOf,
  type Parsed,
  type RejectedRow,
  rejectRow,
  trimToNull,
} from './validate-row.ts';

/**
 * Parses a row about a social or messaging account that its schema has accepted. The platform gets its canonical name,
 * the handle keeps its case.
 */
export function parseAccount(imported: ImportedRow): Parsed<'account'> | RejectedRow {
  const field = fieldsOf(imported);
  const found = readHandle(field('platform'), field('handle'));
  if (found === null) return rejectRow('account', 'handle: must be an account name on its platform');
  const url = field<string | null>('url');
  if (url !== null && !isOnPlatform(url, found.platform))
    return rejectRow('account', 'url: is not on the platform');
  const formerHandles = (field<string[] | null>('formerHandles') ?? []).map(
    (text) => readHandle(found.platform, text)?.handle,
  );
  if (!formerHandles.every((handle) => handle !== undefined)) {
    return rejectRow('account', 'formerHandles: must hold account names on the platform');
  }
  const row: Parsed<'account'>['row'] = {
    ...found,
    type: field('type'),
    kind: field('kind'),
    name: cleanDisplayName(field('name')),
    url,
    formerHandles,
    ownerHandle: ownerHandle(trimToNull(field('ownerHandle'))),
    platformAccountId: trimToNull(field('platformAccountId')),
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

/**
 * Parses a handle. Returns null if the handle contains `~`, looks like an id, or has characters that make it look like
 * another handle. `~` marks accounts that lost their handle.
 */
function readHandle(platform: string, text: string): PlatformHandle | null {
  const found = readPlatformHandle(platform, text);
  if (found === null || found.handle.startsWith(ID_PREFIX) || found.handle.includes('~')) return null;
  return normaliseText(found.handle) === lowerCase(found.handle) ? found : null;
}

/**
 * Returns true if a profile URL is on a host of its platform, or if the platform's hosts are unknown. Other URLs could
 * lead visitors anywhere.
 */
function isOnPlatform(url: string, platform: string): boolean {
  const { hostname } = new URL(url);
  if (platform.includes('.')) return hostname === platform || hostname.endsWith(`.${platform}`);
  const known = platformOnHost(hostname)?.name ?? (hostname.endsWith('.t.me') ? 'telegram' : null);
  return known === platform || !isKnownPlatform(platform);
}

/** Removes a leading `@` from `handle` or `host:handle`, and converts the host to lower case. */
function ownerHandle(text: string | null): string | null {
  const [handle = null, host] = text?.replace(/^@/, '').split(':').reverse() ?? [];
  return host === undefined ? handle : `${host.toLowerCase()}:${handle}`;
}
