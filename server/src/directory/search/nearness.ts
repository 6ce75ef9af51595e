import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { queryWords, stemOf } from '../../catalog/listings/search-words.ts';
import { totalWeight } from './match-conditions.sql.ts';
import type { WeightedTerm } from './search-term.ts';

/** A form of a term as the stems of its words, which must follow one another in a text. */
interface StemmedForm {
  readonly term: WeightedTerm;
  readonly stems: readonly string[];
}

/** A place of a term in a text, in words from its beginning. */
interface FoundTerm {
  readonly term: WeightedTerm;
  readonly at: number;
}

/**
 * Returns a function that computes how near one another some texts have the terms: the largest share of their total
 * weight within `SEARCH_WEIGHTS.near.words` adjacent words of one text. It is 1 if one text has all terms so near, and 0
 * if no text has any. Compares stems instead of the patterns of `locate-terms.ts`: compiling the patterns of a new
 * search takes longer than ranking its matches.
 */
export function nearnessOf(terms: readonly WeightedTerm[]): (texts: readonly string[]) => number {
  const formsByFirst = new Map<string, StemmedForm[]>();
  for (const term of terms)
    for (const form of term.forms) {
      const stems = form.map(stemOf);
      const [first = ''] = stems;
      formsByFirst.set(first, [...(formsByFirst.get(first) ?? []), { term, stems }]);
    }
  const total = totalWeight(terms) || 1;
  return (texts) => Math.max(0, ...texts.map((text) => heaviest(placesOf(text, formsByFirst)))) / total;
}

/** Returns the places of terms in a text, in order. */
function placesOf(text: string, formsByFirst: ReadonlyMap<string, readonly StemmedForm[]>): FoundTerm[] {
  const stems = queryWords(text).map(stemOf);
  return stems.flatMap((stem, at) => {
    const begun = formsByFirst.get(stem) ?? [];
    const found = begun.filter((form) => form.stems.every((each, offset) => stems[at + offset] === each));
    return found.map(({ term }) => ({ term, at }));
  });
}

/** Returns the largest total weight of distinct terms that are near one another. */
function heaviest(places: readonly FoundTerm[]): number {
  const { words } = SEARCH_WEIGHTS.near;
  const weights = places.map((first, index) => {
    const near = places.slice(index).filter(({ at }) => at - first.at < words);
    return totalWeight([...new Set(near.map(({ term }) => term))]);
  });
  return Math.max(0, ...weights);
}
