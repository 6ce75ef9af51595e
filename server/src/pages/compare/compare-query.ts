import { MOST_COMPARED } from './compare-page-data.ts';

/** Query parameters of the subjects, in the order of their columns. */
export const FIELDS = ['a', 'b', 'c', 'd'].slice(0, MOST_COMPARED);

/** What check boxes of a list are called: one name, given as often as boxes are ticked. */
export const PICK = 'pick';

const MOST_CHARACTERS = 300;

/** The names that a query asks to compare, each once and in their order; empty ones count for nothing. */
export function readNames(query: Readonly<Record<string, unknown>>): string[] {
  const names = [...FIELDS, PICK]
    .flatMap((field) => query[field] ?? [])
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim().slice(0, MOST_CHARACTERS))
    .filter((value) => value !== '');
  return [...new Set(names)];
}

/** The address of the page that compares these. */
export function compareAddress(names: readonly string[]): string {
  const query = new URLSearchParams(names.map((name, place) => [FIELDS[place] ?? PICK, name]));
  return query.size === 0 ? '/compare' : `/compare?${query}`;
}
