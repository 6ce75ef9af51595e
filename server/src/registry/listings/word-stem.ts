/** Endings that a word may have or not without meaning something else, and how much must be left without one. */
const ENDINGS: readonly (readonly [RegExp, number])[] = [
  [/(?:ies|y)$/, 5],
  [/ings?$/, 4],
  [/(?:ers?|ed)$/, 5],
  [/es?$/, 5],
  [/(?<![sui])s$/, 3],
];
const LATIN = /^[a-z]+$/;

/**
 * The beginning that the forms of an English word share, to be looked for as one: `scrape`, `scraper` and `scraping` begin
 * with `scrap`, `agents` with `agent`. Never anything but a beginning, so that what the word finds is found by its stem too.
 */
export function stemOf(word: string): string {
  if (!LATIN.test(word)) return word;
  for (const [ending, least] of ENDINGS) {
    const stem = word.replace(ending, '');
    if (stem !== word && stem.length >= least) return stem;
  }
  return word;
}
