/**
 * Filters that are stored as terms among the search words of a listing, in the format of the database function
 * `listing_marks`; null means no filter.
 */
export interface TermFilters {
  license?: string | null;
  tag?: string | null;
}

const MAX_TERM_CHARACTERS = 100;
const LICENSE = '#l:';

/**
 * Returns the search terms of the filters. They begin with `#`, with which no word begins, so that searches never
 * match them by accident. Only the letters A to Z ignore case, independent of the locale.
 */
export function filterTermsOf({ license = null, tag = null }: TermFilters): string[] {
  return [
    ...(license === null ? [] : [`${LICENSE}${spell(license)}`]),
    ...(tag === null ? [] : [`#t:${spell(tag)}`]),
  ];
}

/** Quotes filter terms for a `tsquery`. */
export function quoteFilterTerms(terms: readonly string[]): string[] {
  return terms.map(quote);
}

/** Returns the licence of a filter term, as stored in `listing_words`; null if the term is not about a licence. */
export function licenseOf(term: string): string | null {
  return term.startsWith(LICENSE) ? term.slice(LICENSE.length) : null;
}

/** Formats a value as it is stored in a filter term. */
function spell(value: string): string {
  return lowerAscii([...value].slice(0, MAX_TERM_CHARACTERS).join(''));
}

/** Lower-cases A to Z only, as PostgreSQL's `lower` does in the C locale. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function quote(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}
