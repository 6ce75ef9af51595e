import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../database/connect.ts';
import { creatorAliases } from '../subjects/labels.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';
import { insertAliases } from '../subjects/subject-alias.repository.ts';

/** The `AGT-` id under which a repository is listed, whatever the case of its name; null where it is not. */
export async function findListedRepository(
  connection: Connection,
  host: string,
  repository: string,
): Promise<string | null> {
  const [listing] = await connection.query<{ agentId: string }>(
    'SELECT agent_id AS "agentId" FROM listing WHERE lower(host) = lower($1) AND lower(repository) = lower($2)',
    [host, repository],
  );
  return listing?.agentId ?? null;
}

/** The subject of an `AGT-` id, or null. */
export async function findParent(connection: Connection, agentId: string): Promise<string | null> {
  const [parent] = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE agent_id = upper($1)',
    [agentId],
  );
  return parent?.id ?? null;
}

/**
 * The creator of an account, made under the account's handle where this is its first registration. The caller has called
 * lockLineage, so that two first registrations of one account don't make two.
 */
export async function ensureAccountCreator(connection: Connection, accountId: string): Promise<string> {
  const [known] = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM creator WHERE account_id = $1',
    [accountId],
  );
  return known?.id ?? makeAccountCreator(connection, accountId);
}

async function makeAccountCreator(connection: Connection, accountId: string): Promise<string> {
  const id = uuidv7();
  await connection.query(
    "INSERT INTO subject (id, type, name) SELECT $1, 'creator', handle FROM account WHERE id = $2",
    [id, accountId],
  );
  const [creator] = await connection.query<{ handle: string }>(
    `INSERT INTO creator (subject_id, host, handle, account_id) SELECT $1, $2, handle, id FROM account WHERE id = $3
     RETURNING handle`,
    [id, DIRECTORY_HOST, accountId],
  );
  if (!creator) throw new Error('the account of the credential is gone');
  const { handle } = creator;
  const aliases = creatorAliases({ id, host: DIRECTORY_HOST, handle, displayName: null });
  await insertAliases(connection, [{ subjectId: id, subjectType: 'creator', aliases }]);
  return id;
}
