import type { Connection } from '../database/connect.ts';

/** Listings that name one of these as their parent, in the order of their ids. */
export async function childrenOf(
  { models, transaction }: Connection,
  listingIds: readonly string[],
): Promise<string[]> {
  const children = await models.Listing.findAll<{ subjectId: string }>({
    attributes: ['subjectId'],
    where: { parentId: [...listingIds] },
    order: ['subjectId'],
    raw: true,
    transaction,
  });
  return children.map(({ subjectId }) => subjectId);
}
