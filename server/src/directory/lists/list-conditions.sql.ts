import { type BindParameters, SORT_TABLES, type Sort } from './list-agents-key-ranges.sql.ts';

/** Filters on the columns of the sort tables. Null means no filter. */
export interface ColumnFilters {
  type: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
  kind: string | null;
}

/** A search, and the query that the index runs. */
export interface SearchQueries {
  all: string;
  by: string;
}

/**
 * Returns conditions for finding matches by index. If the index query is broader, the second condition filters its
 * results.
 */
export function indexConditions({ all, by }: SearchQueries, values: BindParameters): string[] {
  const asked = `words @@ ${values.add(by)}::tsquery`;
  // IS TRUE hides the condition from the index.
  return by === all ? [asked] : [asked, `(words @@ ${values.add(all)}::tsquery) IS TRUE`];
}

/** Returns conditions for checking each entry `o` for the search words. */
export function entryConditions(sort: Sort, text: string, values: BindParameters): string[] {
  const match = `words @@ ${values.add(text)}::tsquery`;
  // IS TRUE hides the condition from the index. OFFSET 0 stops the planner, which only estimates the number of matches,
  // from finding them all.
  if (tableHasWords(sort)) return [`(${match}) IS TRUE`];
  return [`EXISTS (SELECT FROM listing_words w WHERE w.subject_id = o.subject_id AND w.${match} OFFSET 0)`];
}

/** Returns true if the table of a sort order contains the words. */
export function tableHasWords(sort: Sort): boolean {
  return SORT_TABLES[sort] === 'listing_words';
}

/** Returns the conditions of the filters. */
export function filterConditions(
  { type, verified, tier, category, kind }: ColumnFilters,
  values: BindParameters,
): string[] {
  return [
    ...(kind === null ? [] : [`kind = ${values.add(kind)}`]),
    ...(type === null ? [] : [`type = ${values.add(type)}`]),
    ...(verified === null ? [] : [verified ? 'verified' : 'NOT verified']),
    ...(tier === null ? [] : [`tier = ${values.add(tier)}`]),
    ...(category === null ? [] : [`category = ${values.add(category)}`]),
  ];
}

/** Builds a WHERE clause. */
export function whereClause(all: readonly string[]): string {
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}
