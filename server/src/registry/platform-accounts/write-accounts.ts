import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../database/connect.ts';
import { type AccountNames, accountAliases } from '../../subjects/labels.ts';
import { replaceAliases } from '../../subjects/save-aliases.ts';
import { addSubjects } from '../add-subjects.repository.ts';
import { utc } from '../listings/listing-row.ts';
import type { AccountRow, AccountType } from './account-row.ts';
import { ACCOUNT_NAMES, DISPLACE_ACCOUNTS, INSERT, RENAME_SUBJECTS, UPDATE } from './write-accounts.sql.ts';

/** An account to be stored, with its id, its owner's, and the handles that it had before. */
export interface WritableAccount {
  id: string;
  row: AccountRow;
  ownerId: string | null;
  formerHandles: readonly string[];
}

/** Inserts subjects and accounts. A unique violation says that somebody else was quicker: the batch has to be tried again. */
export async function insertAccounts(
  connection: Connection,
  accounts: readonly WritableAccount[],
): Promise<void> {
  if (accounts.length === 0) return;
  await addSubjects(
    connection,
    accounts.map(({ id, row: { type, name, handle } }) => ({ id, type, name: name ?? handle })),
  );
  await connection.query(INSERT, [JSON.stringify(accounts.map(columns))]);
}

/** Brings stored accounts up to date with their rows. The caller has locked their subjects. */
export async function updateAccounts(
  connection: Connection,
  accounts: readonly WritableAccount[],
): Promise<void> {
  if (accounts.length === 0) return;
  await connection.query(UPDATE, [JSON.stringify(accounts.map(columns))]);
  await connection.query(RENAME_SUBJECTS, [accounts.map(({ id }) => id)]);
}

/**
 * Takes its handle from an account that the handle no longer leads to. Its new one is unknown: until a source tells it,
 * it is stored as `handle~<platform's id>`, which no platform allows.
 */
export async function displaceAccounts(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(DISPLACE_ACCOUNTS, [ids]);
  await connection.query(RENAME_SUBJECTS, [ids]);
}

/** Makes every present and former name of the accounts lead to them, and nothing else. */
export async function refreshAccountAliases(connection: Connection, ids: readonly string[]): Promise<void> {
  const accounts = await connection.query<AccountNames & { type: AccountType }>(ACCOUNT_NAMES, [ids]);
  const named = accounts.map((account) => ({
    subjectId: account.id,
    subjectType: account.type,
    aliases: accountAliases(account),
  }));
  await replaceAliases(connection, named);
}

function columns({ id, row, ownerId, formerHandles }: WritableAccount) {
  return {
    subject_id: id,
    registry_row_id: uuidv7(),
    type: row.type,
    kind: row.kind,
    platform: row.platform,
    handle: row.handle,
    name: row.name,
    url: row.url,
    former_handles: formerHandles,
    owner_handle: row.ownerHandle,
    owner_id: ownerId,
    platform_account_id: row.platformAccountId,
    account_created_at: utc(row.accountCreatedAt),
    verified_mark: row.verifiedMark,
    audience: row.audience,
    audience_day_growth: row.audienceDayGrowth,
    engagement: row.engagement,
    last_post_at: utc(row.lastPostAt),
    cross_link: row.crossLink,
    scam_flag: row.scamFlag,
    observed_at: utc(row.observedAt),
    source: row.source,
    imported: row.imported,
  };
}
