import type { Connection } from '../../../platform/database/connect.ts';
import type { SubjectType } from '../../../scoring/subject-type.ts';

/**
 * Maximum subjects of a sitemap; search engines accept 50,000. It limits the last sitemap if many subjects are added
 * after the range ends were read.
 */
const MAX_SUBJECTS = 10_000;

/** Finds the last id of each complete range of `size` subjects after `after`. A complete range has a subject after it. */
export async function findRangeEnds(connection: Connection, after: string, size: number): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM (SELECT id, row_number() OVER ids AS place, lead(id) OVER ids AS next
       FROM subject WHERE id > $1 WINDOW ids AS (ORDER BY id)) AS numbered
     WHERE place % $2 = 0 AND next IS NOT NULL ORDER BY id`,
    [after, size],
  );
  return rows.map(({ id }) => id);
}

/** Lists the subjects with ids after `after` up to `upTo`, or to the end if it is null, with the day of their score. */
export function listRange(
  connection: Connection,
  after: string,
  upTo: string | null,
): Promise<{ id: string; type: SubjectType; changed: string | null }[]> {
  return connection.query(
    `SELECT id, type, (current_version AT TIME ZONE 'UTC')::date::text AS changed FROM subject
     WHERE id > $1 AND ($2::uuid IS NULL OR id <= $2) ORDER BY id LIMIT ${MAX_SUBJECTS}`,
    [after, upTo],
  );
}
