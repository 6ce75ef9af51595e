import type { Connection } from '../database/connect.ts';
import { ALL, NOW, sameName } from '../database/models/expressions.ts';
import type { ListedRepository, OwnersRegistration } from './take-over-listing.ts';

/** The listing of a repository, whatever the case of its name; null where it has none. */
export function findListedRepository(
  { models, transaction }: Connection,
  { host, repository }: { host: string; repository: string },
): Promise<ListedRepository | null> {
  return models.Listing.findOne<ListedRepository>({
    attributes: [['subject_id', 'id'], 'agentId', 'type', 'creatorId', 'registeredBy'],
    where: { [ALL]: [sameName('host', host), sameName('repository', repository)] },
    raw: true,
    transaction,
  });
}

/** True where the account has a proof that counts of the account that owns the repository. */
export async function isProvedOwner(
  connection: Connection,
  { accountId, host, repository }: { accountId: string; host: string; repository: string },
): Promise<boolean> {
  // SQL: `proved_account` is a view.
  const proofs = await connection.query(
    `SELECT 1 AS one FROM proved_account WHERE account_id = $1 AND kind = 'repo_host' AND host = lower($2)
     AND lower(handle) = lower(split_part($3, '/', 1))`,
    [accountId, host, repository],
  );
  return proofs.length > 0;
}

/**
 * True where the listing's creator was proved to be the repository's owner as another account of the host than this
 * account has proved: the handle has passed on there, and nobody knows yet whether the repository did.
 */
export async function isOfFormerBearer(
  connection: Connection,
  listingId: string,
  accountId: string,
): Promise<boolean> {
  // SQL: joins that compare who bore the handle with who has proved it.
  const former = await connection.query(
    `SELECT 1 AS one FROM listing l JOIN creator c ON c.subject_id = l.creator_id
     JOIN proved_account mine ON mine.account_id = $2 AND mine.kind = 'repo_host' AND mine.host = lower(l.host)
       AND lower(mine.handle) = lower(split_part(l.repository, '/', 1))
     WHERE l.subject_id = $1 AND c.account_id IS DISTINCT FROM $2 AND (
       (c.host = lower(l.host) AND c.host_account_id <> mine.host_account_id
         AND lower(c.handle) = lower(mine.handle || '~' || c.host_account_id))
       OR EXISTS (SELECT FROM linked_account k WHERE k.account_id = c.account_id AND k.kind = 'repo_host'
         AND k.host = mine.host AND lower(k.handle) = lower(mine.handle) AND k.removed_at IS NULL
         AND k.proved_at IS NOT NULL AND k.host_account_id <> mine.host_account_id))`,
    [listingId, accountId],
  );
  return former.length > 0;
}

/** Puts the owner's words in the place of what was said of a listing before; later imports leave them alone. */
export async function rewriteListing(
  { models, transaction }: Connection,
  id: string,
  { accountId, name, description, category, tags }: OwnersRegistration,
): Promise<void> {
  const words = { name, description, category, tags: [...tags], registeredBy: accountId };
  await models.Listing.update({ ...words, updatedAt: NOW }, { where: { subjectId: id }, transaction });
  await models.Subject.update({ name }, { where: { id }, transaction });
}
