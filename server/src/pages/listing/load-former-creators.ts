import type { Connection } from '../../database/connect.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { FormerCreator } from '../page-data.ts';

/** Shown at most: the page is about whose it is now. */
const SHOWN = 10;

/** Whose a listing was before, latest first. A creator that is now known to be the present one was nobody else. */
export async function loadFormerCreators(
  connection: Connection,
  listingId: string,
  naming: Naming,
): Promise<FormerCreator[]> {
  const rows = await connection.query<{ id: string; name: string; until: string }>(
    `SELECT c.subject_id AS id, coalesce(c.display_name, c.handle) AS name, utc_text(max(h.until)) AS until
     FROM listing_creator_history h JOIN listing l ON l.subject_id = h.listing_id
     JOIN creator past ON past.subject_id = h.creator_id
     JOIN creator c ON c.subject_id = coalesce(past.merged_into, past.subject_id)
     WHERE h.listing_id = $1 AND c.subject_id <> l.creator_id
     GROUP BY c.subject_id ORDER BY max(h.until) DESC LIMIT ${SHOWN}`,
    [listingId],
  );
  const subjects = rows.map(({ id }) => ({ id, type: 'creator' as const }));
  const paths = await loadPublicPaths(connection, subjects, naming);
  return rows.map(({ id, name, until }) => ({ path: paths.get(id) ?? '/', text: name, until }));
}
