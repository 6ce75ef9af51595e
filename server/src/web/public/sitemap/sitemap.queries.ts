import type { Connection } from '../../../platform/database/connect.ts';
import type { SubjectType } from '../../../scoring/subject-type.ts';

/**
 * Maximum subjects of one sitemap. The last range may grow beyond its size until range ends are read again; search
 * engines accept 50,000.
 */
const MAX_SUBJECTS = 10_000;

/** Finds the ids after `after` that end complete ranges of `size` subjects, in order. */
export async function findRangeEnds(connection: Connection, after: string, size: number): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM (SELECT id, row_number() OVER ids AS place, lead(id) OVER ids AS next
       FROM subject WHERE id > $1 WINDOW ids AS (ORDER BY id)) AS numbered
     WHERE place % $2 = 0 AND next IS NOT NULL ORDER BY id`,
    [after, size],
  );
  return rows.map(({ id }) => id);
}

/** Lists the subjects of a range of ids (`upTo` null: to the last), with the day of their score. */
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
