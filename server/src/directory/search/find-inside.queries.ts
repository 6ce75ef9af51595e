import { stemOf } from '../../catalog/listings/search-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SearchTerm } from './search-term.ts';

/** A listing, and the terms of a search that its own texts do not have. */
export interface MissingTerms {
  readonly subjectId: string;
  readonly terms: readonly SearchTerm[];
}

/** Maximum forms of a term that are looked for. */
const MAX_FORMS = 10;

/**
 * Finds artifacts inside the repositories of listings that have missing terms of a search. Returns names and
 * descriptions by listing, at most one artifact for each form of a term.
 */
export async function findInside(
  connection: Connection,
  listings: readonly MissingTerms[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = listings.flatMap(({ subjectId, terms }) =>
    terms
      .flatMap(({ word, forms }) => [[word], ...forms].slice(0, MAX_FORMS))
      .map((form) => ({ subjectId, pattern: `%${form.map(stemOf).join('%')}%` })),
  );
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
