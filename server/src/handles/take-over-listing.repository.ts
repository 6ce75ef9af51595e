import type { Connection } from '../database/connect.ts';
import type { OwnersRegistration } from './take-over-listing.ts';

/** A repository that is listed, and whose it is. */
export interface ListedRepository {
  id: string;
  agentId: string;
  type: 'agent' | 'skill';
  creatorId: string;
  registeredBy: string | null;
}

/** The listing of a repository, whatever the case of its name; null where it has none. */
export async function findListedRepository(
  connection: Connection,
  { host, repository }: { host: string; repository: string },
): Promise<ListedRepository | null> {
  const [listing] = await connection.query<ListedRepository>(
    `SELECT subject_id AS id, agent_id AS "agentId", type, creator_id AS "creatorId", registered_by AS "registeredBy"
     FROM listing WHERE lower(host) = lower($1) AND lower(repository) = lower($2)`,
    [host, repository],
  );
  return listing ?? null;
}

/** True where the account has a proof that counts of the account that owns the repository. */
export async function isProvedOwner(
  connection: Connection,
  { accountId, host, repository }: { accountId: string; host: string; repository: string },
): Promise<boolean> {
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
  connection: Connection,
  id: string,
  { accountId, name, description, category, tags }: OwnersRegistration,
): Promise<void> {
  await connection.query(
    `UPDATE listing SET name = $2, description = $3, category = $4, tags = $5, registered_by = $6,
       updated_at = ledger_now() WHERE subject_id = $1`,
    [id, name, description, category, tags, accountId],
  );
  await connection.query('UPDATE subject SET name = $2 WHERE id = $1', [id, name]);
}
