import type { BindParameters } from '../../platform/database/send-statement.ts';
import { isMatch, type Match } from '../search/match-conditions.sql.ts';
import { COLUMN_FILTERS, chosenOf, type FilterSelection } from './filters.ts';
import { SORTS, type Sort } from './sorts.ts';

/** Returns conditions for checking each entry `o` of a sort table for the search. */
export function entryConditions(sort: Sort, match: Match, values: BindParameters): string[] {
  // IS TRUE hides the condition from the index. OFFSET 0 stops the planner, which only estimates the number of
  // matches, from finding them all.
  const check = `(${isMatch(match, values)}) IS TRUE`;
  if (tableHasWords(sort)) return [check];
  return [`EXISTS (SELECT FROM listing_words w WHERE w.subject_id = o.subject_id AND ${check} OFFSET 0)`];
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
