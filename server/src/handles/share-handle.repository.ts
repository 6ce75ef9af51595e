import type { Connection } from '../database/connect.ts';
import { NOW } from '../database/models/expressions.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';

/** The account's creator where it is called otherwise than the account, or null. */
export async function findOtherwiseNamed(connection: Connection, accountId: string): Promise<string | null> {
  // SQL: a join that compares the two names.
  const [creator] = await connection.query<{ id: string }>(
    `SELECT c.subject_id AS id FROM creator c JOIN account a ON a.id = c.account_id
     WHERE a.id = $1 AND c.host <> $2 AND c.handle <> a.handle`,
    [accountId, DIRECTORY_HOST],
  );
  return creator?.id ?? null;
}

/** Makes all listings of a creator another one's, and nothing else of them changes. */
export async function passListings(
  { models, transaction }: Connection,
  from: string,
  to: string,
): Promise<void> {
  await models.Listing.update({ creatorId: to, updatedAt: NOW }, { where: { creatorId: from }, transaction });
}
