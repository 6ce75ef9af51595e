import { randomUUID } from 'node:crypto';
import { accountAliases } from '../../src/catalog/subjects/stored-aliases.ts';
import { addAliases } from '../../src/catalog/subjects/subject-alias.queries.ts';
import type { Connection } from '../../src/platform/database/connect.ts';

export interface MadeAccount {
  id: string;
  registryRowId: string;
  type: 'social_account' | 'messaging_account';
  platform: string;
  handle: string;
}

export interface AccountInput {
  type?: 'social_account' | 'messaging_account';
  kind?: 'account' | 'channel' | 'bot';
  platform?: string;
  handle?: string;
  name?: string | null;
  url?: string | null;
  formerHandles?: string[];
  ownerId?: string | null;
  platformAccountId?: string | null;
  accountCreatedAt?: string | null;
  verifiedMark?: boolean | null;
  audience?: number | null;
  audienceDayGrowth?: number | null;
  engagement?: number | null;
  lastPostAt?: string | null;
  crossLink?: 'both' | 'one' | 'none' | null;
  scamFlag?: boolean | null;
  observedAt?: string | null;
  source?: string;
}

let made = 0;

/** Inserts a platform account with its aliases, as an import does. Unstated values are missing. */
export async function makePlatformAccount(
  connection: Connection,
  input: AccountInput = {},
): Promise<MadeAccount> {
  made += 1;
  const { type = 'social_account', handle = `account_${made}`, name = null, formerHandles = [] } = input;
  const { platform = type === 'social_account' ? 'x' : 'telegram', platformAccountId = null } = input;
  const account: MadeAccount = { id: randomUUID(), registryRowId: randomUUID(), type, platform, handle };
  await connection.query('INSERT INTO subject (id, type, name) VALUES ($1, $2, $3)', [
    account.id,
    type,
    name ?? handle,
  ]);
  await connection.query(
    `INSERT INTO platform_account (subject_id, registry_row_id, type, kind, platform, handle, name, url, former_handles,
       owner_id, platform_account_id, account_created_at, verified_mark, audience, audience_day_growth, engagement,
       last_post_at, cross_link, scam_flag, observed_at, source)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
    [
      account.id,
      account.registryRowId,
      type,
      input.kind ?? 'account',
      platform,
      handle,
      name,
      input.url ?? null,
      formerHandles,
      input.ownerId ?? null,
      platformAccountId,
      input.accountCreatedAt ?? null,
      input.verifiedMark ?? null,
      input.audience ?? null,
      input.audienceDayGrowth ?? null,
      input.engagement ?? null,
      input.lastPostAt ?? null,
      input.crossLink ?? null,
      input.scamFlag ?? null,
      input.observedAt ?? null,
      input.source ?? 'acme/list',
    ],
  );
  const aliases = accountAliases({ ...account, name, formerHandles, platformAccountId });
  await addAliases(connection, [{ subjectId: account.id, subjectType: type, aliases }]);
  return account;
}
