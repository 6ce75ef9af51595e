import type { Connection } from '../../database/connect.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { FormerCreator } from '../creator/creator-page-data.ts';
import { listFormerCreators } from './listing-page.repository.ts';

/** Shown at most: the page is about whose it is now. */
const SHOWN = 10;

/** Whose a listing was before, latest first, with their pages. */
export async function loadFormerCreators(
  connection: Connection,
  listingId: string,
  naming: Naming,
): Promise<FormerCreator[]> {
  const former = await listFormerCreators(connection, listingId, SHOWN);
  const subjects = former.map(({ id }) => ({ id, type: 'creator' as const }));
  const paths = await loadPublicPaths(connection, subjects, naming);
  return former.map(({ id, name, until }) => ({ path: paths.get(id) ?? '/', text: name, until }));
}
