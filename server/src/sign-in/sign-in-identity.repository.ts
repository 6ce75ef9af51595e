import { accountRefused } from '../callers/account-standing.sql.ts';
import type { Connection } from '../database/connect.ts';

/** A person at an identity provider. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** A person at an identity provider who is let in to an account. */
export interface SignInIdentity extends Identity {
  accountId: string;
  createdBy: 'operator' | 'sign_up';
  createdAt: string;
}

/**
 * The account that a person is let in to, kept from being suspended or deleted until the transaction ends; `refused`
 * where it was before. Null for a person whom nobody gave an account.
 */
export async function lockAccountOf(
  connection: Connection,
  { issuer, subject }: Identity,
): Promise<{ id: string; handle: string | null; refused: boolean } | null> {
  const [account] = await connection.query<{ id: string; handle: string | null; refused: boolean }>(
    `SELECT a.id, a.handle, ${accountRefused('a')} AS refused FROM account a
     WHERE a.id = (SELECT account_id FROM sign_in_identity WHERE issuer = $1 AND subject = $2) FOR SHARE OF a`,
    [issuer, subject],
  );
  return account ?? null;
}

/** Lets a person in to an account. Fails on the primary key where the person has one already. */
export async function insertIdentity(
  connection: Connection,
  identity: Omit<SignInIdentity, 'createdAt'>,
): Promise<void> {
  await connection.query(
    'INSERT INTO sign_in_identity (issuer, subject, account_id, created_by) VALUES ($1, $2, $3, $4)',
    [identity.issuer, identity.subject, identity.accountId, identity.createdBy],
  );
}

/** Takes a person's way in to a deleted account away, so that it can lead to another one. */
export async function releaseFromDeleted(
  connection: Connection,
  { issuer, subject }: Identity,
): Promise<void> {
  await connection.query(
    `DELETE FROM sign_in_identity i USING account a WHERE i.issuer = $1 AND i.subject = $2
     AND a.id = i.account_id AND a.deleted_at IS NOT NULL`,
    [issuer, subject],
  );
}

/** Everybody who is let in to an account, first ones first. */
export function listIdentities(connection: Connection, accountId: string): Promise<SignInIdentity[]> {
  return connection.query<SignInIdentity>(
    `SELECT issuer, subject, account_id AS "accountId", created_by AS "createdBy", utc_text(created_at) AS "createdAt"
     FROM sign_in_identity WHERE account_id = $1 ORDER BY created_at, issuer, subject`,
    [accountId],
  );
}

/** Takes a person's way in to an account away; false where there was none. */
export async function deleteIdentity(
  connection: Connection,
  accountId: string,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const rows = await connection.query(
    'DELETE FROM sign_in_identity WHERE account_id = $1 AND issuer = $2 AND subject = $3 RETURNING issuer',
    [accountId, issuer, subject],
  );
  return rows.length === 1;
}
