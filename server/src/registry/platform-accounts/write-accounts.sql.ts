// The rows of a batch as one value: one statement, whatever their number.
const RECORD = `jsonb_to_recordset($1::jsonb) AS r(subject_id uuid, registry_row_id uuid, type text, kind text,
  platform text, handle text, name text, url text, former_handles text[], owner_handle text, owner_id uuid,
  platform_account_id text, account_created_at timestamptz, verified_mark boolean, audience bigint,
  audience_day_growth float8, engagement float8, last_post_at timestamptz, cross_link text, scam_flag boolean,
  observed_at timestamptz, source text, imported jsonb)`;

// The columns that a row states anew each time.
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

/** Adds a batch. */
export const INSERT = `
INSERT INTO platform_account (subject_id, registry_row_id, type, platform, platform_account_id, ${FACTS})
SELECT subject_id, registry_row_id, type, platform, platform_account_id, ${FACTS} FROM ${RECORD} ORDER BY subject_id`;

/** Brings a batch up to date. */
export const UPDATE = `
UPDATE platform_account p SET ${FACTS.map((column) => `${column} = r.${column}`)},
  platform_account_id = coalesce(r.platform_account_id, p.platform_account_id), updated_at = ledger_now()
FROM ${RECORD} WHERE p.subject_id = r.subject_id`;

/** A subject is called as its account is. */
export const RENAME_SUBJECTS = `
UPDATE subject s SET name = coalesce(p.name, p.handle) FROM platform_account p
WHERE p.subject_id = s.id AND s.id = ANY ($1::uuid[]) AND s.name <> coalesce(p.name, p.handle)`;

/** The new handle is made of the old one where it is stored. */
export const DISPLACE_ACCOUNTS = `UPDATE platform_account SET handle = handle || '~' || platform_account_id, updated_at = ledger_now()
  WHERE subject_id = ANY ($1::uuid[])`;

/** An array: one kept statement for any number of accounts. */
export const ACCOUNT_NAMES = `SELECT subject_id AS id, type, platform, handle, name, former_handles AS "formerHandles",
    platform_account_id AS "platformAccountId"
  FROM platform_account WHERE subject_id = ANY ($1::uuid[]) ORDER BY subject_id`;
