import type { Connection } from '../../platform/database/connect.ts';
import { DIRECTORY_HOST } from '../subjects/public-path.ts';
import { type Alias, creatorAliases } from '../subjects/stored-aliases.ts';
import { replaceAliases } from '../subjects/subject-alias.queries.ts';

/** Selects names of creators: own names, names of creators merged into them, and handles of their customer accounts. */
const NAMES = `
SELECT coalesce(c.merged_into, c.subject_id) AS "ownerId", c.subject_id AS id, c.host, c.handle,
  c.display_name AS "displayName"
FROM creator c WHERE c.subject_id = ANY ($1::uuid[]) OR c.merged_into = ANY ($1::uuid[])
UNION ALL
SELECT c.subject_id, c.subject_id, $2, a.handle, NULL FROM creator c JOIN account a ON a.id = c.account_id
WHERE c.subject_id = ANY ($1::uuid[]) AND a.handle IS NOT NULL`;

/** Selects former names of creators. Ids are one array parameter, so that one prepared statement serves any number. */
const FORMER_NAMES = `SELECT subject_id AS "ownerId", label, kind FROM subject_alias
  WHERE subject_id = ANY ($1::uuid[]) AND kind = 'former'`;

interface Name {
  /** Creator that the name resolves to. */
  ownerId: string;
  id: string;
  host: string;
  handle: string;
  displayName: string | null;
}

/**
 * Replaces all aliases of these creators by their own names, those of creators merged into them, and the handles of
 * their customer accounts. Former handles, both the stored ones and `formerHandles`, still resolve. The names of a
 * merged creator become aliases of the creator into which it was merged.
 */
export async function refreshCreatorAliases(
  connection: Connection,
  creatorIds: readonly string[],
  formerHandles: ReadonlyMap<string, readonly Alias[]> = new Map(),
): Promise<void> {
  if (creatorIds.length === 0) return;
  const names = await connection.query<Name>(NAMES, [creatorIds, DIRECTORY_HOST]);
  const kept = await connection.query<{ ownerId: string; label: string; kind: Alias['kind'] }>(FORMER_NAMES, [
    creatorIds,
  ]);
  const subjects = creatorIds.map((subjectId) => {
    const own = names.filter(({ ownerId }) => ownerId === subjectId).flatMap(creatorAliases);
    const former = kept.filter(({ ownerId }) => ownerId === subjectId);
    // Current names take precedence over former ones.
    const aliases = [...own, ...former, ...(formerHandles.get(subjectId) ?? [])];
    return { subjectId, subjectType: 'creator' as const, aliases };
  });
  await replaceAliases(connection, subjects);
}

/** An account on a repository host. */
export interface Owner {
  host: string;
  handle: string;
}

/** Returns a map key for a host account. Handles that differ only in case have the same key. */
export function ownerKey({ host, handle }: Owner): string {
  return `${host}:${handle.toLowerCase()}`;
}
