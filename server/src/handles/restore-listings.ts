import type { Connection } from '../database/connect.ts';
import { refreshListingAliases } from '../registry/listings/listing-aliases.ts';
import { lockSubjects, refreshSearch } from '../registry/listings/write-listings.ts';
import { updateParents } from '../registry/relations/lineage-edges.ts';
import { noteScoreDue } from '../scoring/note-score-due.ts';
import { childrenOf } from './listed-family.repository.ts';
import { moveListings } from './ownership.repository.ts';
import { type EndedOwner, findRewritten, returnRegistryWords } from './registry-words.repository.ts';

/**
 * Has the listings of an owner whose proof has ended say again what the registry has of them: what the last import
 * states, or what somebody else had registered, who gets them back. What nobody but the account ever listed stays as it
 * is. Answers the creators that got listings back. The caller has called lockLineage.
 */
export async function restoreListings(connection: Connection, owner: EndedOwner): Promise<string[]> {
  const rewritten = await findRewritten(connection, owner);
  const ids = rewritten.map(({ id }) => id);
  if (ids.length === 0) return [];
  const children = await childrenOf(connection, ids);
  await lockSubjects(connection, [...ids, ...children]);
  await returnRegistryWords(connection, ids);
  const creators = [...new Set(rewritten.flatMap(({ creatorId }) => creatorId ?? []))];
  for (const creator of creators) {
    const own = rewritten.filter(({ creatorId }) => creatorId === creator).map(({ id }) => id);
    await moveListings(connection, own, creator);
  }
  await refreshSearch(connection, ids);
  await refreshListingAliases(connection, ids);
  const { changed } = await updateParents(connection, ids);
  await noteScoreDue(connection, [...ids, ...changed], children);
  return creators;
}
