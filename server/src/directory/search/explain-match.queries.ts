import type { Connection } from '../../platform/database/connect.ts';

/**
 * Finds artifacts inside the repositories of listings, by `LIKE` patterns. Returns the names and descriptions of these
 * artifacts by listing: at most one artifact for each pattern.
 */
export async function findArtifactTexts(
  connection: Connection,
  asked: readonly { subjectId: string; pattern: string }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (asked.length === 0) return new Map();
  const rows = await connection.query<{ subjectId: string; name: string; description: string }>(
    `SELECT DISTINCT asked.id AS "subjectId", found.name, found.description
     FROM unnest($1::uuid[], $2::text[]) AS asked (id, pattern)
     CROSS JOIN LATERAL (SELECT name, description FROM artifact
       WHERE listing_id = asked.id AND lower(name || ' ' || description) LIKE asked.pattern ORDER BY name LIMIT 1) AS found
     ORDER BY 1, 2`,
    [asked.map(({ subjectId }) => subjectId), asked.map(({ pattern }) => pattern)],
  );
  const inside = new Map<string, string[]>();
  for (const { subjectId, name, description } of rows)
    inside.set(subjectId, [...(inside.get(subjectId) ?? []), name, description]);
  return inside;
}
