import { COLUMN_FILTERS, COUNTED_TERM_FILTERS, chosenOf, type FilterSelection } from './filters.ts';
import type { BindParameters } from './key-ranges.sql.ts';
import { SORTS, type Sort } from './sorts.ts';

/** Queries of a search. `all` matches exactly the results. `by` is the query for the index, which may match more. */
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
  return SORTS[sort].table === 'listing_words';
}

/** Returns the conditions of the filters on the columns of a sort table. */
export function filterConditions(selection: FilterSelection, values: BindParameters): string[] {
  return chosenOf(COLUMN_FILTERS, selection).map(([column, value]) =>
    typeof value === 'boolean' ? (value ? column : `NOT ${column}`) : `${column} = ${values.add(value)}`,
  );
}

/** Returns the conditions of the filters on the columns of the totals. Terms ignore the case of A to Z. */
export function totalConditions(selection: FilterSelection, values: BindParameters): string[] {
  const terms = chosenOf(COUNTED_TERM_FILTERS, selection).map(
    ([column, value]) => `lower(${column} COLLATE "C") = lower(${values.add(value)}::text COLLATE "C")`,
  );
  return [...filterConditions(selection, values), ...terms];
}

/** Builds a WHERE clause. */
export function whereClause(all: readonly string[]): string {
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}
