import { v7 as uuidv7 } from 'uuid';
import type { AccountObservations } from '../../hosts/host-account.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import { readPlatformHandle } from '../subjects/platforms.ts';
import {
  type AccountRow,
  type AccountType,
  displaceAccounts,
  insertAccounts,
  refreshAccountAliases,
} from './write-accounts.ts';

/** A proved social or messaging account, as its platform shows it. */
interface ProvedPlatformAccount {
  type: AccountType;
  /** Normalised platform name, see subjects/platforms.ts. */
  platform: string;
  handle: string;
  /** The platform's account id; null if unknown, as for an account that an operator confirmed without reading it. */
  platformAccountId: string | null;
  createdAt: string | null;
  /** URL of the profile. */
  url: string | null;
  /** Null if the platform was not read. */
  facts: AccountObservations | null;
}

const SOURCE = 'linked account';

/**
 * Stores a proved platform account as a subject and returns the subject's id. Updates the stored platform account with
 * the same platform id. If there is none, updates the one with the handle, unless it is known to have another id.
 * Otherwise inserts a platform account. Facts that the platform does not show stay unknown. Returns null if the handle
 * is invalid on the platform, if the stored account with the platform id has another type, or if the type of a new
 * account is unknown. The caller has called lockRegistry or lockKeys.
 */
export async function saveProvedAccount(
  connection: Connection,
  proved: ProvedPlatformAccount,
): Promise<string | null> {
  if (readPlatformHandle(proved.platform, proved.handle) === null) return null;
  const listed = await findListedAccounts(connection, proved);
  const byId = listed.find((each) => isSame(each, proved)) ?? null;
  const byHandle = listed.find((each) => each !== byId) ?? null;
  if (byId !== null && byId.type !== proved.type) return null;
  const stored = byId ?? (isOther(byHandle, proved) ? null : byHandle);
  const displaced = isOther(byHandle, proved) ? byHandle : null;
  // One account has the id. Another has the handle, and its own id is unknown. They may be the same account, so
  // neither loses its handle.
  const keepsHandle = byId !== null && byHandle !== null && displaced === null;
  await lockSubjects(
    connection,
    [stored, displaced].flatMap((each) => each?.id ?? []),
  );
  if (displaced !== null) await displaceAccounts(connection, [displaced.id]);
  const handle = keepsHandle ? byId.handle : proved.handle;
  const id = stored?.id ?? (await list(connection, proved));
  if (id === null) return null;
  if (stored !== null) await saveObservations(connection, id, { ...proved, handle });
  await refreshAccountAliases(connection, displaced === null ? [id] : [id, displaced.id]);
  return id;
}

function isSame({ platformAccountId }: ListedAccount, proved: ProvedPlatformAccount): boolean {
  return platformAccountId !== null && platformAccountId === proved.platformAccountId;
}

/**
 * Returns true if `listed` is another account that had the handle before. The caller has excluded equal ids, so two
 * known ids are different.
 */
function isOther(listed: ListedAccount | null, { platformAccountId }: ProvedPlatformAccount): boolean {
  return listed !== null && listed.platformAccountId !== null && platformAccountId !== null;
}

/**
 * Inserts the account and returns its id; returns null for a messaging account that was not read. Only channels can be
 * read on messaging platforms, so such an account might be a bot.
 */
async function list(connection: Connection, proved: ProvedPlatformAccount): Promise<string | null> {
  const { type, platform, handle, platformAccountId, createdAt, url, facts } = proved;
  const isMessaging = type === 'messaging_account';
  if (isMessaging && facts === null) return null;
  const row: AccountRow = {
    type,
    kind: isMessaging ? 'channel' : 'account',
    platform,
    handle,
    name: facts?.name ?? null,
    url,
    formerHandles: [],
    ownerHandle: null,
    platformAccountId,
    accountCreatedAt: createdAt,
    verifiedMark: facts?.verifiedMark ?? null,
    audience: facts?.audience ?? null,
    audienceDayGrowth: null,
    engagement: null,
    lastPostAt: facts?.lastPostAt ?? null,
    crossLink: null,
    scamFlag: null,
    observedAt: null,
    source: SOURCE,
    imported: {},
  };
  const id = uuidv7();
  await insertAccounts(connection, [{ id, row, ownerId: null, formerHandles: [] }]);
  if (facts !== null) await markObserved(connection, id);
  return id;
}

/** A listed account that may be the proved one. */
interface ListedAccount {
  id: string;
  type: string;
  handle: string;
  platformAccountId: string | null;
}

/** Finds the listed accounts with the platform's id or with the handle: at most two. */
function findListedAccounts(
  connection: Connection,
  { type, platform, handle, platformAccountId }: ProvedPlatformAccount,
): Promise<ListedAccount[]> {
  return connection.query<ListedAccount>(
    `SELECT subject_id AS id, type, handle, platform_account_id AS "platformAccountId" FROM platform_account
     WHERE platform = $2 AND (platform_account_id = $4 OR (type = $1 AND lower(handle) = lower($3)))`,
    [type, platform, handle, platformAccountId],
  );
}

/**
 * Updates a listed account with what its platform shows. Unknown values stay unchanged, and the old handle becomes a
 * former one. The caller has locked the account's subject, and no other account has the handle.
 */
async function saveObservations(
  connection: Connection,
  id: string,
  { handle, platformAccountId, createdAt, facts }: ProvedPlatformAccount,
): Promise<void> {
  await connection.query(
    `UPDATE platform_account p SET handle = $2, platform_account_id = coalesce(p.platform_account_id, $3),
       former_handles = CASE WHEN lower(p.handle) = lower($2) OR strpos(p.handle, '~') > 0 THEN p.former_handles
         ELSE array_append(array_remove(p.former_handles, p.handle), p.handle) END,
       account_created_at = coalesce($4::timestamptz, p.account_created_at), name = coalesce($5, p.name),
       verified_mark = coalesce($6, p.verified_mark), audience = coalesce($7, p.audience),
       last_post_at = coalesce($8::timestamptz, p.last_post_at),
       observed_at = CASE WHEN $9 THEN ledger_now() ELSE p.observed_at END, updated_at = ledger_now()
     WHERE p.subject_id = $1`,
    [
      id,
      handle,
      platformAccountId,
      createdAt,
      facts?.name ?? null,
      facts?.verifiedMark ?? null,
      facts?.audience ?? null,
      facts?.lastPostAt ?? null,
      facts !== null,
    ],
  );
  await connection.query(
    `UPDATE subject s SET name = coalesce(p.name, p.handle) FROM platform_account p
     WHERE p.subject_id = s.id AND s.id = $1 AND s.name <> coalesce(p.name, p.handle)`,
    [id],
  );
}

/** Records that the platform was read now. */
async function markObserved(connection: Connection, id: string): Promise<void> {
  await connection.query('UPDATE platform_account SET observed_at = ledger_now() WHERE subject_id = $1', [
    id,
  ]);
}
