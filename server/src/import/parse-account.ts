import type { ImportedRow } from '../registry/listings/listing-row.ts';
import {
  ACCOUNT_KINDS,
  ACCOUNT_TYPES,
  type AccountRow,
  CROSS_LINKS,
} from '../registry/platform-accounts/account-row.ts';
import { isOwnerName } from '../registry/repository-name.ts';
import { normaliseText } from '../subjects/normalise.ts';
import { type PlatformHandle, readPlatformHandle } from '../subjects/platform-handle.ts';
import { ID_PREFIX, isKnownPlatform, platformName, platformOnHost } from '../subjects/platforms.ts';
import { FieldReader } from './field-reader.ts';
import { NAME_LENGTH, type Parsed, readOneSource } from './parsed-row.ts';

const HANDLE_LENGTH = 254;
const PLATFORM_ID_LENGTH = 200;
const OWNER = /^@?(?:([a-z0-9.-]{1,253}):)?([^:]+)$/i;

/** Reads an account row as the data format has it; the platform gets its one name, the handle keeps its case. */
export function parseAccount(imported: ImportedRow): Parsed<AccountRow> {
  const read = new FieldReader(imported);
  const { platform, handle } = platformHandle(read);
  const row: AccountRow = {
    type: read.choice('type', ACCOUNT_TYPES),
    kind: read.choice('kind', ACCOUNT_KINDS),
    platform,
    handle,
    name: read.optionalName('name', NAME_LENGTH),
    url: profileUrl(read, platform),
    formerHandles: formerHandles(read, platform),
    ownerHandle: ownerHandle(read),
    platformAccountId: platformAccountId(read),
    accountCreatedAt: read.moment('createdAt'),
    verifiedMark: read.optionalBoolean('verifiedMark'),
    audience: read.count('audience'),
    audienceDayGrowth: read.ratio('audienceDayGrowth', -1),
    engagement: read.ratio('engagement', 0),
    lastPostAt: read.moment('lastPostAt'),
    crossLink: read.optionalText('crossLink') === null ? null : read.choice('crossLink', CROSS_LINKS),
    scamFlag: read.optionalBoolean('scamFlag'),
    observedAt: read.moment('observedAt'),
    source: readOneSource(read),
    imported,
  };
  return read.reason === null ? { row } : { reason: read.reason };
}

function platformHandle(read: FieldReader): PlatformHandle {
  const [platform, text] = [read.text('platform', 253), read.text('handle', HANDLE_LENGTH)];
  const found = readHandle(platform, text);
  if (platform !== '' && text !== '' && found === null)
    read.problem('handle', 'must be an account name on its platform');
  return found ?? { platform: platformName(platform), handle: '' };
}

/** `~` marks accounts that lost their handle; a handle in odd characters would look like another's. */
function readHandle(platform: string, text: string): PlatformHandle | null {
  const found = readPlatformHandle(platform, text);
  if (found === null || found.handle.startsWith(ID_PREFIX) || found.handle.includes('~')) return null;
  return normaliseText(found.handle) === found.handle.toLowerCase() ? found : null;
}

function formerHandles(read: FieldReader, platform: string): string[] {
  const handles = read.texts('formerHandles').map((text) => readHandle(platform, text));
  if (handles.includes(null)) read.problem('formerHandles', 'must hold account names on the platform');
  return handles.flatMap((found) => found?.handle ?? []);
}

/** The stated address, which must be on the platform's own hosts where they are known: nobody is led elsewhere. */
function profileUrl(read: FieldReader, platform: string): string | null {
  const url = read.link('url');
  if (url === null) return null;
  const { hostname } = new URL(url);
  const known = platformOnHost(hostname)?.name ?? (hostname.endsWith('.t.me') ? 'telegram' : null);
  const isThere = platform.includes('.')
    ? hostname === platform || hostname.endsWith(`.${platform}`)
    : known === platform || !isKnownPlatform(platform);
  if (!isThere) read.problem('url', 'is not on the platform');
  return url;
}

function ownerHandle(read: FieldReader): string | null {
  const text = read.optionalText('ownerHandle', HANDLE_LENGTH)?.trim() || null;
  if (text === null) return null;
  const [, host, handle = ''] = OWNER.exec(text) ?? [];
  if (isOwnerName(handle)) return host === undefined ? handle : `${host.toLowerCase()}:${handle}`;
  read.problem('ownerHandle', 'must be handle or host:handle of a creator');
  return null;
}

function platformAccountId(read: FieldReader): string | null {
  const id = read.optionalText('platformAccountId', PLATFORM_ID_LENGTH)?.trim() || null;
  if (id !== null && /[\s/#?\\%]/.test(id)) read.problem('platformAccountId', 'holds what no id holds');
  return id;
}
