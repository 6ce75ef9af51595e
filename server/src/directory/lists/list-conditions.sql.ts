import { ORDERED, type Sort, type Values } from './list-agents-stretches.sql.ts';

/** What of the columns of narrow rows is chosen; null leaves all. */
export interface PageChoice {
  type: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
  kind: string | null;
}

/** A search, and what of it the index is asked for. */
export interface FoundBy {
  all: string;
  by: string;
}

/** Conditions that an index finds the entries of a search by; the second one is looked at for each that the first one finds. */
export function found({ all, by }: FoundBy, values: Values): string[] {
  const asked = `words @@ ${values.add(by)}::tsquery`;
  // Of a truth value alone no index knows anything.
  return by === all ? [asked] : [asked, `(words @@ ${values.add(all)}::tsquery) IS TRUE`];
}

/** That an entry `o` has the words of a search, looked at for each. */
export function matching(sort: Sort, text: string, values: Values): string[] {
  const match = `words @@ ${values.add(text)}::tsquery`;
  // Of a truth value alone no index knows anything, and OFFSET 0 keeps the planner, which guesses how many match, from
  // finding them all.
  if (hasWords(sort)) return [`(${match}) IS TRUE`];
  return [`EXISTS (SELECT FROM listing_words w WHERE w.subject_id = o.subject_id AND w.${match} OFFSET 0)`];
}

/** Whether words stand in the narrow rows themselves. */
export function hasWords(sort: Sort): boolean {
  return ORDERED[sort] === 'listing_words';
}

/** Conditions on narrow rows that a choice of filters makes. */
export function chosen({ type, verified, tier, category, kind }: PageChoice, values: Values): string[] {
  return [
    ...(kind === null ? [] : [`kind = ${values.add(kind)}`]),
    ...(type === null ? [] : [`type = ${values.add(type)}`]),
    ...(verified === null ? [] : [verified ? 'verified' : 'NOT verified']),
    ...(tier === null ? [] : [`tier = ${values.add(tier)}`]),
    ...(category === null ? [] : [`category = ${values.add(category)}`]),
  ];
}

/** Conditions as the end of a statement. */
export function conditions(all: readonly string[]): string {
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}
