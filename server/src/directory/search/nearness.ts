import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { queryWords, stemOf } from '../../catalog/listings/search-words.ts';
import { isStopWord } from '../../catalog/listings/stop-words.ts';
import { totalWeight } from './match-conditions.sql.ts';
import type { WeightedTerm } from './search-term.ts';

/** A form of a term. Its words must follow one another in a text. */
interface StemmedForm {
  readonly term: WeightedTerm;
  readonly stems: readonly string[];
}

interface FoundTerm {
  readonly term: WeightedTerm;
  /** Number of words before the term in the text. */
  readonly at: number;
}

/**
 * Returns a function that computes how near one another some texts have the terms: the largest share of their total
 * weight that begins within `SEARCH_WEIGHTS.near.words` adjacent words of one text, or as many words as there are terms.
 * It is 1 if one text has all terms so near, and 0 if no text has any. Stop words are not counted. Compares stems instead
 * of the patterns of `locate-terms.ts`: compiling the patterns of a new search takes longer than ranking its matches.
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
  const words = Math.max(SEARCH_WEIGHTS.near.words, terms.length);
  return (texts) =>
    Math.max(0, ...texts.map((text) => heaviest(placesOf(text, formsByFirst), words))) / total;
}

/** Returns the places of terms in a text, in order. */
function placesOf(text: string, formsByFirst: ReadonlyMap<string, readonly StemmedForm[]>): FoundTerm[] {
  const stems = queryWords(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf);
  return stems.flatMap((stem, at) => {
    const begun = formsByFirst.get(stem) ?? [];
    const found = begun.filter((form) => form.stems.every((each, offset) => stems[at + offset] === each));
    return found.map(({ term }) => ({ term, at }));
  });
}

/** Returns the largest total weight of distinct terms that begin within so many adjacent words. */
function heaviest(places: readonly FoundTerm[], words: number): number {
  const weights = places.map((first, index) => {
    const near = places.slice(index).filter(({ at }) => at - first.at < words);
    return totalWeight([...new Set(near.map(({ term }) => term))]);
  });
  return Math.max(0, ...weights);
}
