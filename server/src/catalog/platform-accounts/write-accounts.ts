import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../platform/database/connect.ts';
import type { ImportedRow } from '../listings/listing-row.ts';
import { utc } from '../listings/listing-row.ts';
import { addSubjects } from '../listings/write-listings.ts';
import { type AccountNames, accountAliases } from '../subjects/stored-aliases.ts';
import { replaceAliases } from '../subjects/subject-alias.queries.ts';

// Rows of a batch as one JSON value, so that one statement serves any number of rows.
const RECORD = `jsonb_to_recordset($1::jsonb) AS r(subject_id uuid, registry_row_id uuid, type text, kind text,
  platform text, handle text, name text, url text, former_handles text[], owner_handle text, owner_id uuid,
  platform_account_id text, account_created_at timestamptz, verified_mark boolean, audience bigint,
  audience_day_growth float8, engagement float8, last_post_at timestamptz, cross_link text, scam_flag boolean,
  observed_at timestamptz, source text, imported jsonb)`;

// Columns that an update overwrites with the values of the row, even with null; `OBSERVED` lists the exceptions.
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

/** Inserts a batch of platform accounts. */
const INSERT = `
INSERT INTO platform_account (subject_id, registry_row_id, type, platform, platform_account_id, ${FACTS})
SELECT subject_id, registry_row_id, type, platform, platform_account_id, ${FACTS} FROM ${RECORD} ORDER BY subject_id`;

// Columns of one observation. A row of an earlier observation does not change them.
const OBSERVED = new Set([
  'verified_mark',
  'audience',
  'audience_day_growth',
  'engagement',
  'last_post_at',
  'cross_link',
  'scam_flag',
  'observed_at',
]);

const updated = (column: string) =>
  OBSERVED.has(column)
    ? `${column} = CASE WHEN p.observed_at > r.observed_at THEN p.${column} ELSE r.${column} END`
    : `${column} = r.${column}`;

/** Updates a batch of platform accounts. */
const UPDATE = `
UPDATE platform_account p SET ${FACTS.map(updated)},
  platform_account_id = coalesce(r.platform_account_id, p.platform_account_id), updated_at = ledger_now()
FROM ${RECORD} WHERE p.subject_id = r.subject_id`;

/** Sets the names of subjects to the names or handles of their platform accounts. */
const RENAME_SUBJECTS = `
UPDATE subject s SET name = coalesce(p.name, p.handle) FROM platform_account p
WHERE p.subject_id = s.id AND s.id = ANY ($1::uuid[]) AND s.name <> coalesce(p.name, p.handle)`;

/**
 * Renames platform accounts that lost their handle to a placeholder, which the statement derives from the stored old
 * handle.
 */
const DISPLACE_ACCOUNTS = `UPDATE platform_account SET handle = handle || '~' || platform_account_id, updated_at = ledger_now()
  WHERE subject_id = ANY ($1::uuid[])`;

/**
 * Selects the names of platform accounts. Ids are one array parameter, so that one prepared statement serves any
 * number.
 */
const ACCOUNT_NAMES = `SELECT subject_id AS id, type, platform, handle, name, former_handles AS "formerHandles",
    platform_account_id AS "platformAccountId"
  FROM platform_account WHERE subject_id = ANY ($1::uuid[]) ORDER BY subject_id`;

/** Types of platform accounts. */
export const ACCOUNT_TYPES = ['social_account', 'messaging_account'] as const;

export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** Kinds of platform accounts: a channel broadcasts to readers, a bot answers automatically. */
export const ACCOUNT_KINDS = ['account', 'channel', 'bot'] as const;

type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** Links between a platform account and its creator's account on a repository host: mutual, one way, or none. */
export const CROSS_LINKS = ['both', 'one', 'none'] as const;

type CrossLink = (typeof CROSS_LINKS)[number];

/** A social or messaging account as a source read it. Unstated values are null; dates are ISO 8601. */
export interface AccountRow {
  type: AccountType;
  kind: AccountKind;
  /** Normalised platform name, see subjects/platforms.ts. */
  platform: string;
  handle: string;
  name: string | null;
  url: string | null;
  formerHandles: readonly string[];
  /** Owner that the source names: `handle` or `host:handle` of a creator. */
  ownerHandle: string | null;
  /** The platform's account id, which survives renames. */
  platformAccountId: string | null;
  accountCreatedAt: string | null;
  verifiedMark: boolean | null;
  audience: number | null;
  /** Largest growth of the audience within one day, as a share: 0.5 is 50%. */
  audienceDayGrowth: number | null;
  /** Reactions per post divided by followers, or views per post divided by members. */
  engagement: number | null;
  lastPostAt: string | null;
  crossLink: CrossLink | null;
  scamFlag: boolean | null;
  observedAt: string | null;
  source: string;
  imported: ImportedRow;
}

/** A platform account to write, with its id, its owner's id and its former handles. */
export interface WritableAccount {
  id: string;
  row: AccountRow;
  ownerId: string | null;
  formerHandles: readonly string[];
}

/**
 * Inserts platform accounts with their subjects. A unique violation means a concurrent insert, after which the caller
 * retries the batch.
 */
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

/** Updates stored platform accounts from their rows. The caller has locked the accounts' subjects. */
export async function updateAccounts(
  connection: Connection,
  accounts: readonly WritableAccount[],
): Promise<void> {
  if (accounts.length === 0) return;
  await connection.query(UPDATE, [JSON.stringify(accounts.map(columns))]);
  await connection.query(RENAME_SUBJECTS, [accounts.map(({ id }) => id)]);
}

/**
 * Renames platform accounts whose handle now belongs to another one. Their new handle is unknown. Until a source states
 * it, they are called `handle~<platform id>`, which no platform allows as a handle.
 */
export async function displaceAccounts(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(DISPLACE_ACCOUNTS, [ids]);
  await connection.query(RENAME_SUBJECTS, [ids]);
}

/** Replaces the aliases of platform accounts with their current and former names. */
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
