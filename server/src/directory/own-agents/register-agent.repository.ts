import type { Connection } from '../../database/connect.ts';

/** The subject of an `AGT-` id, or null. */
export async function findParent(
  { models, transaction }: Connection,
  agentId: string,
): Promise<string | null> {
  const where = { agentId: agentId.toUpperCase() };
  const parent = await models.Listing.findOne({ attributes: ['subjectId'], where, transaction });
  return parent?.subjectId ?? null;
}
