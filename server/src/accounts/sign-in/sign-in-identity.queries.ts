import { accountIsBlocked } from '../../access/callers/caller.fragment.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { utcText } from '../../platform/database/models/table.ts';
import type { Identity, SignInIdentity } from './sign-in-identity.ts';

/**
 * Locks the account of a person against suspension and deletion until the transaction ends; `refused` if it is
 * suspended or deleted. Null if the person has no account.
 */
export async function lockAccountOf(
  connection: Connection,
  { issuer, subject }: Identity,
): Promise<{ id: string; handle: string | null; refused: boolean } | null> {
  // SQL: finds the account by the person and locks it in one statement.
  const [account] = await connection.query<{ id: string; handle: string | null; refused: boolean }>(
    `SELECT a.id, a.handle, ${accountIsBlocked('a')} AS refused FROM account a
     WHERE a.id = (SELECT account_id FROM sign_in_identity WHERE issuer = $1 AND subject = $2) FOR SHARE OF a`,
    [issuer, subject],
  );
  return account ?? null;
}

/** Links a person to an account. Violates the primary key if the person is already linked. */
export async function insertIdentity(
  { models, transaction }: Connection,
  identity: Omit<SignInIdentity, 'createdAt'>,
): Promise<void> {
  await models.SignInIdentity.create(identity, { transaction, returning: false });
}

/** Deletes a person's link to a deleted account, so that the person can be linked to another account. */
export async function unlinkFromDeletedAccount(
  connection: Connection,
  { issuer, subject }: Identity,
): Promise<void> {
  // SQL: deletes by a condition on a joined table, which models cannot.
  await connection.query(
    `DELETE FROM sign_in_identity i USING account a WHERE i.issuer = $1 AND i.subject = $2
     AND a.id = i.account_id AND a.deleted_at IS NOT NULL`,
    [issuer, subject],
  );
}

/** Lists the people who can sign in to an account, oldest first. */
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

/** Unlinks a person from an account; false if there was no link. */
export async function deleteIdentity(
  { models, transaction }: Connection,
  accountId: string,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const where = { accountId, issuer, subject };
  return (await models.SignInIdentity.destroy({ where, transaction })) === 1;
}
