import type { Connection } from '../../database/connect.ts';
import { type Alias, creatorAliases } from '../../subjects/labels.ts';
import { DIRECTORY_HOST } from '../../subjects/naming.ts';
import { replaceAliases } from '../../subjects/subject-alias.repository.ts';

interface Name {
  /** The creator that the name leads to. */
  bearerId: string;
  id: string;
  host: string;
  handle: string;
  displayName: string | null;
}

// A creator's own name, those of the creators merged into it, and the handle of its account.
const NAMES = `
SELECT coalesce(c.merged_into, c.subject_id) AS "bearerId", c.subject_id AS id, c.host, c.handle,
  c.display_name AS "displayName"
FROM creator c WHERE c.subject_id = ANY ($1::uuid[]) OR c.merged_into = ANY ($1::uuid[])
UNION ALL
SELECT c.subject_id, c.subject_id, $2, a.handle, NULL FROM creator c JOIN account a ON a.id = c.account_id
WHERE c.subject_id = ANY ($1::uuid[]) AND a.handle IS NOT NULL`;

/**
 * Makes every name of these creators lead to them, and nothing else: their own, those of creators merged into them and
 * their account's handle. A handle that one had before still leads to it. A merged creator has no names of its own.
 */
export async function refreshCreatorAliases(
  connection: Connection,
  creatorIds: readonly string[],
  formerHandles: ReadonlyMap<string, readonly Alias[]> = new Map(),
): Promise<void> {
  if (creatorIds.length === 0) return;
  const names = await connection.query<Name>(NAMES, [creatorIds, DIRECTORY_HOST]);
  const kept = await connection.query<{ bearerId: string; label: string; kind: Alias['kind'] }>(
    `SELECT subject_id AS "bearerId", label, kind FROM subject_alias
     WHERE subject_id = ANY ($1::uuid[]) AND kind = 'former'`,
    [creatorIds],
  );
  const subjects = creatorIds.map((subjectId) => {
    const own = names.filter(({ bearerId }) => bearerId === subjectId).flatMap(creatorAliases);
    const former = kept.filter(({ bearerId }) => bearerId === subjectId);
    const aliases = [...own, ...former, ...(formerHandles.get(subjectId) ?? [])];
    return { subjectId, subjectType: 'creator' as const, aliases: distinct(aliases) };
  });
  await replaceAliases(connection, subjects);
}

/** The first of each label: what a creator is called now comes before what it was called. */
function distinct(aliases: readonly Alias[]): Alias[] {
  const byLabel = new Map<string, Alias>();
  for (const { label, kind } of aliases) if (!byLabel.has(label)) byLabel.set(label, { label, kind });
  return [...byLabel.values()];
}
