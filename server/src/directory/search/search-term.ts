import { FIELD_PREFIX } from '../../catalog/listings/listing-words.ts';
import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { stemOf } from '../../catalog/listings/search-words.ts';
import { synonymKey } from '../../catalog/listings/synonyms.ts';
import type { KnownWord, Replacement, Replacements, Vocabulary } from './vocabulary.queries.ts';

/** A word of the search text that was searched for. */
export interface SearchTerm {
  /** The word as typed, in lower case, or corrected. */
  readonly word: string;
  /**
   * Texts that count as this word, each as its words in lower case: its own forms, such as `scrape` and `scraping`, and
   * synonyms, which may have several words.
   */
  readonly forms: readonly (readonly string[])[];
}

/** A word of the search text that was not searched for. */
export interface IgnoredWord {
  readonly word: string;
  /**
   * `common`: a word such as "the", which says nothing about a need. `beyond_limit`: the search already uses the
   * maximum number of words; it uses the rarest known ones. `unknown`: the search matches nothing, and no entry had
   * this word when words were last counted.
   */
  readonly reason: 'common' | 'beyond_limit' | 'unknown';
}

/**
 * A term of a search with the queries (texts for `$1::tsquery`) that find it in the fields of a listing: `name`, `tag`,
 * `text` (the description) and `weak` (any field).
 */
export interface WeightedTerm extends SearchTerm {
  /** Weight relative to the other terms. Rare words that are mostly in names and tags weigh most. */
  readonly weight: number;
  /** Number of listings with the word itself, as last counted. */
  readonly listings: number;
  /** Estimated share of the listings that `any` finds. */
  readonly share: number;
  /**
   * Finds the listings to look up for the term. For a common word, omits longer words, and synonyms of the word alone.
   */
  readonly any: string;
  /** Finds the term in any form and in any field. */
  readonly anywhere: string;
  readonly name: string;
  readonly tag: string;
  readonly text: string;
  readonly weak: string;
  /** Estimated shares of the listings that have a synonym which `any` finds, by the synonym's key. */
  readonly synonymShares: ReadonlyMap<string, number>;
  /** Synonyms in names and tags, and in descriptions; null without synonyms. */
  readonly synonym: { readonly strong: string; readonly text: string } | null;
}

/**
 * Assumed share of a word's listings that have the word in names or tags, if no listing has the word or its synonyms.
 */
const UNSEEN_TOPIC = 0.5;
/**
 * Number of listings up to which the share of a word in names and tags is computed together with its synonyms: the few
 * listings with a Spanish word, for example, say little about it.
 */
const FEW_LISTINGS = 3;
/**
 * Factor above which a word counts as unfinished: the number of listings with longer words that begin with it, divided
 * by the number of listings with the word itself.
 */
const UNFINISHED = 20;
/** Minimum length of a word that also finds longer words. Too many words begin with a shorter word such as `in`. */
const MIN_PREFIX_LENGTH = 4;
/**
 * Share of the listings, but at least `MIN_COMMON` listings, above which a word counts as common. Synonyms and longer
 * words of a common word are not searched for: they would add few listings, and the index would check all of them for
 * every listing with the word. Synonyms of a whole phrase, such as "rag" for "chat with documents", are searched for
 * unless all of their words are common.
 */
const COMMON_SHARE = 0.02;
const MIN_COMMON = 300;
/**
 * Number of listings with the rarest word of a synonym above which the synonym is not searched for, so that in a large
 * directory the index does not read hundreds of thousands of listings for a search (`search-term.test.ts`). Listings that
 * are found otherwise are still ranked by it.
 */
const MAX_SYNONYM_LISTINGS = 10_000;

interface TermParts {
  looked: readonly string[];
  vocabulary: Vocabulary;
  replacements: Replacements;
  /** Misspelled words as typed, which count as further forms of the word. */
  typed: readonly string[];
}

/** Builds the search term of a word. `at` is the word's position among the words that are searched for. */
export function termOf(
  word: string,
  at: number,
  { looked, vocabulary, replacements, typed }: TermParts,
): WeightedTerm {
  const known = vocabulary.of(word);
  const pairs = [`${looked[at - 1] ?? ''}${word}`, `${word}${looked[at + 1] ?? ''}`].filter(
    (pair) => vocabulary.of(pair).listings > 0,
  );
  // Synonyms that no listing has, such as most of those in other languages, would only slow the search down.
  const isKnown = (each: string) => vocabulary.of(each).listings > 0;
  const synonyms = distinctOf(replacements.get(word) ?? [], word).filter(({ words }) => words.every(isKnown));
  const others = synonyms.map(({ words }) => words);
  const own = [word, ...typed];
  const stems = [...new Set([...own, ...pairs].map(stemOf))];
  const ownForms = [...new Set(own.map(stemOf))].map(lexeme);
  const { listings } = known;
  const isUnfinished = known.longer > UNFINISHED * listings;
  // Assumes that the words of a synonym occur independently of each other.
  const listingsWith = (words: readonly string[]) =>
    words.reduce(
      (sum, each) => (sum * vocabulary.of(each).listings) / Math.max(1, vocabulary.total),
      vocabulary.total,
    );
  const listingsWithAny = (each: readonly (readonly string[])[]) =>
    each.reduce((sum, words) => sum + listingsWith(words), 0);
  const found = Math.min(
    vocabulary.total,
    listings + (isUnfinished ? known.longer : 0) + listingsWithAny(others),
  );
  const oneWord = others.flatMap((words) => (words.length === 1 ? words : [])).map(vocabulary.of);
  const topic = topicOf(listings > FEW_LISTINGS ? [known] : [known, ...oneWord]);
  const { name, tag, formerWeak } = FIELD_PREFIX;
  const within = (field: string) =>
    [
      ...stems.map((stem) => lexeme(field + stem)),
      ...(isUnfinished ? [`${lexeme(field + word)}:*`] : []),
    ].join(' | ');
  const inText = (stem: string) => `(${lexeme(stem)}:A & !${lexeme(formerWeak + stem)})`;
  const alternatives = (field: (stem: string) => string) =>
    others.map((words) => allOf(words, field)).join(' | ');
  const maxOfRare = Math.max(MIN_COMMON, COMMON_SHARE * vocabulary.total);
  const isCommon = listings > maxOfRare;
  const rarest = (words: readonly string[]) => Math.min(...words.map((each) => vocabulary.of(each).listings));
  const isLookedUp = ({ words, isOfPhrase }: Replacement) =>
    rarest(words) <= MAX_SYNONYM_LISTINGS && (!isCommon || (isOfPhrase && rarest(words) <= maxOfRare));
  const foundSynonyms = synonyms.filter(isLookedUp).map(({ words }) => words);
  const prefix = `${lexeme(word)}:*`;
  const longer =
    known.longer > listings && (isUnfinished || word.length >= MIN_PREFIX_LENGTH) ? [prefix] : [];
  const longerFound = (isUnfinished ? known.longer : 0) + (longer.length === 0 ? 0 : known.longer);
  const lookedUp = listings + listingsWithAny(foundSynonyms) + (isCommon ? 0 : longerFound);
  const weak = [...stems.map(lexeme), ...longer].join(' | ');
  const anywhere = others.length === 0 ? weak : `${weak} | ${alternatives(lexeme)}`;
  return {
    word,
    forms: own.map((each) => [each]).concat(others.map((words) => [...words])),
    weight: weightOf(vocabulary.total, found, topic) * (others.length === 0 ? 1 : SEARCH_WEIGHTS.subject),
    listings,
    share: Math.min(1, lookedUp / Math.max(1, vocabulary.total)),
    any: [...(isCommon ? ownForms : [weak]), ...foundSynonyms.map((words) => allOf(words, lexeme))].join(
      ' | ',
    ),
    anywhere,
    name: within(name),
    tag: within(tag),
    text: [...stems.map(inText), ...(isUnfinished ? [prefix] : [])].join(' | '),
    weak,
    synonymShares: new Map(
      foundSynonyms.map((words) => [synonymKey(words), listingsWith(words) / Math.max(1, vocabulary.total)]),
    ),
    synonym:
      others.length === 0
        ? null
        : {
            strong: alternatives((stem) => `${lexeme(name + stem)} | ${lexeme(tag + stem)}`),
            text: alternatives(inText),
          },
  };
}

function sumOf(entries: readonly KnownWord[], of: (each: KnownWord) => number): number {
  return entries.reduce((sum, each) => sum + of(each), 0);
}

/** Returns the share of the listings with these words that have them in their names or tags. */
function topicOf(entries: readonly KnownWord[]): number {
  const listings = sumOf(entries, (each) => each.listings);
  return listings === 0 ? UNSEEN_TOPIC : Math.min(1, sumOf(entries, (each) => each.named) / listings);
}

/** Returns the weight of a word: its rarity, reduced for words that are rarely in names and tags. */
function weightOf(total: number, listings: number, topic: number): number {
  const { maxRarity, minTopic, topicPower, unknown } = SEARCH_WEIGHTS;
  if (listings === 0) return unknown;
  const rarity = Math.min(maxRarity, Math.log(1 + total / listings));
  return rarity * (minTopic + (1 - minTopic) * topic ** topicPower);
}

/**
 * Returns the synonyms of a word once each, without the word itself. A synonym both of the word alone and of a phrase
 * counts as one of the phrase.
 */
function distinctOf(synonyms: readonly Replacement[], word: string): Replacement[] {
  const byPhraseLast = synonyms.toSorted((one, other) => Number(one.isOfPhrase) - Number(other.isOfPhrase));
  const found = new Map(byPhraseLast.map((each) => [synonymKey(each.words), each]));
  found.delete(stemOf(word));
  return [...found.values()];
}

/** Returns a query for listings with all words of a synonym in a field. */
function allOf(words: readonly string[], field: (stem: string) => string): string {
  return words.map((each) => `(${field(stemOf(each))})`).join(' & ');
}

/** Quotes a word for a `tsquery`. */
export function lexeme(word: string): string {
  return `'${word}'`;
}
