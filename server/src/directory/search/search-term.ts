/** A word of a search text that the search looked for. */
export interface SearchTerm {
  /** The word as typed, in lower case, or corrected. */
  readonly word: string;
  /**
   * Texts that count as this word, each as its words in lower case: its own forms, such as `scrape` and `scraping`, and
   * synonyms, which may have several words.
   */
  readonly forms: readonly (readonly string[])[];
}

/** A word of a search text that the search did not look for. */
export interface IgnoredWord {
  readonly word: string;
  /** `common`: a word such as "the", which says nothing about a need. `beyond_limit`: more telling words fill the limit. */
  readonly reason: 'common' | 'beyond_limit';
}
