import type { Connection } from '../../database/connect.ts';
import { type Alias, creatorAliases } from '../../subjects/labels.ts';
import { DIRECTORY_HOST } from '../../subjects/naming.ts';
import { replaceAliases } from '../../subjects/save-aliases.ts';
import { FORMER_NAMES, NAMES } from './creator-names.sql.ts';

interface Name {
  /** The creator that the name leads to. */
  bearerId: string;
  id: string;
  host: string;
  handle: string;
  displayName: string | null;
}

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
    FORMER_NAMES,
    [creatorIds],
  );
  const subjects = creatorIds.map((subjectId) => {
    const own = names.filter(({ bearerId }) => bearerId === subjectId).flatMap(creatorAliases);
    const former = kept.filter(({ bearerId }) => bearerId === subjectId);
    // What a creator is called now comes before what it was called.
    const aliases = [...own, ...former, ...(formerHandles.get(subjectId) ?? [])];
    return { subjectId, subjectType: 'creator' as const, aliases };
  });
  await replaceAliases(connection, subjects);
}
