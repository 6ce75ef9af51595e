import { accountRefused } from '../callers/standing.condition.ts';
import type { Connection } from '../database/connect.ts';
import { utcText } from '../database/models/expressions.ts';
import type { Identity, SignInIdentity } from './sign-in-identity.ts';

/**
 * The account that a person is let in to, kept from being suspended or deleted until the transaction ends; `refused`
 * where it was before. Null for a person whom nobody gave an account.
 */
export async function lockAccountOf(
  connection: Connection,
  { issuer, subject }: Identity,
): Promise<{ id: string; handle: string | null; refused: boolean } | null> {
  // SQL: the lock is on the account, which is found by the person.
  const [account] = await connection.query<{ id: string; handle: string | null; refused: boolean }>(
    `SELECT a.id, a.handle, ${accountRefused('a')} AS refused FROM account a
     WHERE a.id = (SELECT account_id FROM sign_in_identity WHERE issuer = $1 AND subject = $2) FOR SHARE OF a`,
    [issuer, subject],
  );
  return account ?? null;
}

/** Lets a person in to an account. Fails on the primary key where the person has one already. */
export async function insertIdentity(
  { models, transaction }: Connection,
  identity: Omit<SignInIdentity, 'createdAt'>,
): Promise<void> {
  await models.SignInIdentity.create(identity, { transaction, returning: false });
}

/** Takes a person's way in to a deleted account away, so that it can lead to another one. */
export async function releaseFromDeleted(
  connection: Connection,
  { issuer, subject }: Identity,
): Promise<void> {
  // SQL: a join with the account.
  await connection.query(
    `DELETE FROM sign_in_identity i USING account a WHERE i.issuer = $1 AND i.subject = $2
     AND a.id = i.account_id AND a.deleted_at IS NOT NULL`,
    [issuer, subject],
  );
}

/** Everybody who is let in to an account, first ones first. */
export function findIdentities(
  { models, transaction }: Connection,
  accountId: string,
): Promise<SignInIdentity[]> {
  return models.SignInIdentity.findAll<SignInIdentity>({
    attributes: ['issuer', 'subject', 'accountId', 'createdBy', utcText('created_at', 'createdAt')],
    where: { accountId },
    order: ['createdAt', 'issuer', 'subject'],
    raw: true,
    transaction,
  });
}

/** Takes a person's way in to an account away; false where there was none. */
export async function deleteIdentity(
  { models, transaction }: Connection,
  accountId: string,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const where = { accountId, issuer, subject };
  return (await models.SignInIdentity.destroy({ where, transaction })) === 1;
}
