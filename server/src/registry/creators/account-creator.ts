import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../database/connect.ts';
import { creatorAliases } from '../../subjects/labels.ts';
import { DIRECTORY_HOST } from '../../subjects/naming.ts';
import { insertAliases } from '../../subjects/subject-alias.repository.ts';
import { refreshVerifiedCreators } from './verified.ts';

/**
 * The creator of an account, made under the account's handle where it has none yet. The caller has called lockLineage, so
 * that two first registrations of one account don't make two.
 */
export async function ensureAccountCreator(connection: Connection, accountId: string): Promise<string> {
  const [known] = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM creator WHERE account_id = $1',
    [accountId],
  );
  return known?.id ?? makeAccountCreator(connection, accountId);
}

/**
 * Makes the creator of an account that has none, under the account's handle. Without one, which no registration is, the
 * account's id stands in for it: no account can choose that.
 */
export async function makeAccountCreator(connection: Connection, accountId: string): Promise<string> {
  const id = uuidv7();
  await connection.query(
    "INSERT INTO subject (id, type, name) SELECT $1, 'creator', coalesce(handle, id::text) FROM account WHERE id = $2",
    [id, accountId],
  );
  const [creator] = await connection.query<{ handle: string }>(
    `INSERT INTO creator (subject_id, host, handle, account_id) SELECT $1, $2, coalesce(handle, id::text), id FROM account WHERE id = $3
     RETURNING handle`,
    [id, DIRECTORY_HOST, accountId],
  );
  if (!creator) throw new Error('the account of the credential is gone');
  const { handle } = creator;
  const aliases = creatorAliases({ id, host: DIRECTORY_HOST, handle, displayName: null });
  await insertAliases(connection, [{ subjectId: id, subjectType: 'creator', aliases }]);
  // What the account proved before it had a creator counts for it.
  await refreshVerifiedCreators(connection, [id]);
  return id;
}
