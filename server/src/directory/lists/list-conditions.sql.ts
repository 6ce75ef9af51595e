import { COLUMN_FILTERS, chosenOf, type FilterSelection } from './filters.ts';
import type { BindParameters } from './key-ranges.sql.ts';
import type { Match } from './match-conditions.sql.ts';
import { SORTS, type Sort } from './sorts.ts';

/** Returns conditions on `listing_words` for finding matches by the word index. */
export function indexConditions({ by, also }: Match, values: BindParameters): string[] {
  return [`words @@ ${values.add(by)}::tsquery`, ...(also === null ? [] : [also(values)])];
}

/** Returns conditions for checking each entry `o` of a sort table for the search. */
export function entryConditions(sort: Sort, match: Match, values: BindParameters): string[] {
  // IS TRUE hides the conditions from the index. OFFSET 0 stops the planner, which only estimates the number of
  // matches, from finding them all.
  const checks = indexConditions(match, values).map((condition) => `(${condition}) IS TRUE`);
  if (tableHasWords(sort)) return checks;
  return [
    `EXISTS (SELECT FROM listing_words w ${whereClause(['w.subject_id = o.subject_id', ...checks])} OFFSET 0)`,
  ];
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

/** Builds a WHERE clause. */
export function whereClause(all: readonly string[]): string {
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}
