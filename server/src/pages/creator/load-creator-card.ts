import type { Connection } from '../../database/connect.ts';
import { findCreator, listProved } from './creator-page.repository.ts';
import type { CreatorCard } from './creator-page-data.ts';

/** What other pages show of a creator, with the address of the creator's own page. */
export async function loadCreatorCard(
  connection: Connection,
  creatorId: string,
  path: string,
): Promise<CreatorCard> {
  const found = await findCreator(connection, creatorId);
  if (!found) throw new Error(`the creator ${creatorId} of a listing is gone`);
  const { name, ...creator } = found;
  return { ...creator, path, text: name ?? creator.handle, proved: await listProved(connection, creatorId) };
}
