import type { Connection } from '../../database/connect.ts';

/** Where a listing says that it is at home, and its licence. */
export async function findListingFacts(
  connection: Connection,
  listingId: string,
): Promise<{ homepage: string | null; license: string | null }> {
  const [found] = await connection.query<{ homepage: string | null; license: string | null }>(
    'SELECT homepage, license FROM listing WHERE subject_id = $1',
    [listingId],
  );
  return found ?? { homepage: null, license: null };
}

/** Whose a listing was before, latest first. A creator that is now known to be the present one was nobody else. */
export function listFormerCreators(
  connection: Connection,
  listingId: string,
  limit: number,
): Promise<{ id: string; name: string; until: string }[]> {
  return connection.query(
    `SELECT c.subject_id AS id, coalesce(c.display_name, c.handle) AS name, utc_text(max(h.until)) AS until
     FROM listing_creator_history h JOIN listing l ON l.subject_id = h.listing_id
     JOIN creator past ON past.subject_id = h.creator_id
     JOIN creator c ON c.subject_id = coalesce(past.merged_into, past.subject_id)
     WHERE h.listing_id = $1 AND c.subject_id <> l.creator_id
     GROUP BY c.subject_id ORDER BY max(h.until) DESC LIMIT ${limit}`,
    [listingId],
  );
}

/** The agents and skills inside a listed repository, by name. */
export function listArtifacts(
  connection: Connection,
  listingId: string,
  limit: number,
): Promise<{ id: string; type: 'agent' | 'skill'; name: string; description: string }[]> {
  return connection.query(
    `SELECT subject_id AS id, type, name, description FROM artifact WHERE listing_id = $1
     ORDER BY lower(name), subject_id LIMIT ${limit}`,
    [listingId],
  );
}
