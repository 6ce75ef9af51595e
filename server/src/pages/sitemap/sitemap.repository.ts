import type { Connection } from '../../database/connect.ts';
import type { SubjectType } from '../../subjects/subject-type.ts';

/** More than a stretch grows by between two looks at where stretches end; a crawler takes fifty thousand. */
const MOST = 10_000;

/** The ids after `after` that end a stretch of `size` subjects each and have others after them, in order. */
export async function findStretchEnds(
  connection: Connection,
  after: string,
  size: number,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM (SELECT id, row_number() OVER ids AS place, lead(id) OVER ids AS next
       FROM subject WHERE id > $1 WINDOW ids AS (ORDER BY id)) AS numbered
     WHERE place % $2 = 0 AND next IS NOT NULL ORDER BY id`,
    [after, size],
  );
  return rows.map(({ id }) => id);
}

/** The subjects after one id and up to another (null: to the last), with the day of their score. */
export function findStretch(
  connection: Connection,
  after: string,
  upTo: string | null,
): Promise<{ id: string; type: SubjectType; changed: string | null }[]> {
  return connection.query(
    `SELECT id, type, (current_version AT TIME ZONE 'UTC')::date::text AS changed FROM subject
     WHERE id > $1 AND ($2::uuid IS NULL OR id <= $2) ORDER BY id LIMIT ${MOST}`,
    [after, upTo],
  );
}
