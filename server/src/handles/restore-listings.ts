import type { Connection } from '../database/connect.ts';
import { refreshListingAliases } from '../registry/listings/listing-aliases.ts';
import { lockSubjects, refreshSearch } from '../registry/listings/write-listings.ts';
import { updateParents } from '../registry/relations/lineage-edges.ts';
import { noteScoreDue } from '../scoring/note-score-due.ts';
import { childrenOf } from './listed-family.repository.ts';
import { moveListings } from './ownership.repository.ts';
import {
  type EndedOwner,
  findRegisteredByOthers,
  findRewritten,
  returnRegistryWords,
} from './registry-words.repository.ts';

/**
 * Returns the listings of an owner whose proof has ended to what they were before. Where the account had rewritten one,
 * the registry's last words take the place of its own. What another account had registered is that account's again.
 * What only the ended account listed stays as it is. Answers the creators that got listings back. The caller has called
 * lockLineage.
 */
export async function restoreListings(connection: Connection, owner: EndedOwner): Promise<string[]> {
  const rewritten = await findRewritten(connection, owner);
  const returning = [...rewritten, ...(await findRegisteredByOthers(connection, owner))];
  const ids = returning.map(({ id }) => id);
  if (ids.length === 0) return [];
  const children = await childrenOf(connection, ids);
  await lockSubjects(connection, [...ids, ...children]);
  await returnRegistryWords(
    connection,
    rewritten.map(({ id }) => id),
  );
  const creators = [...new Set(returning.flatMap(({ creatorId }) => creatorId ?? []))];
  for (const creator of creators) {
    const own = returning.filter(({ creatorId }) => creatorId === creator).map(({ id }) => id);
    await moveListings(connection, own, creator);
  }
  await refreshSearch(connection, ids);
  await refreshListingAliases(connection, ids);
  const { changed } = await updateParents(connection, ids);
  await noteScoreDue(connection, [...ids, ...changed], children);
  return creators;
}
