import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../database/connect.ts';
import { type AccountNames, accountAliases } from '../../subjects/labels.ts';
import { replaceAliases } from '../../subjects/subject-alias.repository.ts';
import { utc } from '../listings/write-listings.ts';
import type { AccountRow, AccountType } from './account-row.ts';

/** An account to be stored, with its id, its owner's, and the handles that it had before. */
export interface WritableAccount {
  id: string;
  row: AccountRow;
  ownerId: string | null;
  formerHandles: readonly string[];
}

const RECORD = `jsonb_to_recordset($1::jsonb) AS r(subject_id uuid, registry_row_id uuid, type text, kind text,
  platform text, handle text, name text, url text, former_handles text[], owner_handle text, owner_id uuid,
  platform_account_id text, account_created_at timestamptz, verified_mark boolean, audience bigint,
  audience_day_growth float8, engagement float8, last_post_at timestamptz, cross_link text, scam_flag boolean,
  observed_at timestamptz, source text, imported jsonb)`;

const FACTS = [
  'kind',
  'handle',
  'name',
  'url',
  'former_handles',
  'owner_handle',
  'owner_id',
  'account_created_at',
  'verified_mark',
  'audience',
  'audience_day_growth',
  'engagement',
  'last_post_at',
  'cross_link',
  'scam_flag',
  'observed_at',
  'source',
  'imported',
];

const INSERT = `
INSERT INTO platform_account (subject_id, registry_row_id, type, platform, platform_account_id, ${FACTS})
SELECT subject_id, registry_row_id, type, platform, platform_account_id, ${FACTS} FROM ${RECORD} ORDER BY subject_id`;

const UPDATE = `
UPDATE platform_account p SET ${FACTS.map((column) => `${column} = r.${column}`)},
  platform_account_id = coalesce(r.platform_account_id, p.platform_account_id), updated_at = ledger_now()
FROM ${RECORD} WHERE p.subject_id = r.subject_id`;

const RENAME_SUBJECTS = `
UPDATE subject s SET name = coalesce(p.name, p.handle) FROM platform_account p
WHERE p.subject_id = s.id AND s.id = ANY ($1::uuid[]) AND s.name <> coalesce(p.name, p.handle)`;

/** Inserts subjects and accounts. A unique violation says that somebody else was quicker: the batch has to be tried again. */
export async function insertAccounts(
  connection: Connection,
  accounts: readonly WritableAccount[],
): Promise<void> {
  if (accounts.length === 0) return;
  await connection.query(
    'INSERT INTO subject (id, type, name) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])',
    [
      accounts.map(({ id }) => id),
      accounts.map(({ row }) => row.type),
      accounts.map(({ row }) => row.name ?? row.handle),
    ],
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
  await connection.query(
    `UPDATE platform_account SET handle = handle || '~' || platform_account_id, updated_at = ledger_now()
     WHERE subject_id = ANY ($1::uuid[])`,
    [ids],
  );
  await connection.query(RENAME_SUBJECTS, [ids]);
}

/** Makes every present and former name of the accounts lead to them, and nothing else. */
export async function refreshAccountAliases(connection: Connection, ids: readonly string[]): Promise<void> {
  const accounts = await connection.query<AccountNames & { type: AccountType }>(
    `SELECT subject_id AS id, type, platform, handle, name, former_handles AS "formerHandles",
       platform_account_id AS "platformAccountId"
     FROM platform_account WHERE subject_id = ANY ($1::uuid[]) ORDER BY subject_id`,
    [ids],
  );
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
