import { FIELD_PREFIX, joinedRepository, joinWords } from '../../catalog/listings/listing-words.ts';
import { queryWords, UNSPACED_CHARACTER } from '../../catalog/listings/search-words.ts';
import { isStopWord } from '../../catalog/listings/stop-words.ts';
import { NO_SYNONYMS, type Synonyms } from '../../catalog/listings/synonyms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { correctText, NO_CORRECTIONS } from './correct-spelling.ts';
import { type IgnoredWord, lexeme, termOf, type WeightedTerm } from './search-term.ts';
import { readVocabulary, replacementsOf } from './vocabulary.queries.ts';

/** A parsed search text. */
export interface DirectorySearch {
  readonly text: string;
  /** Terms of the text, heaviest first. */
  readonly terms: readonly WeightedTerm[];
  readonly ignoredWords: readonly IgnoredWord[];
  /** Text with corrected spelling that was searched for in addition to `text`; null if nothing was corrected. */
  readonly didYouMean: string | null;
  /** Query for listings whose whole name or repository is the text or its corrected form. */
  readonly named: string;
  /** True if the text counts as a name: a single word of a script with spaces, `owner/name`, or a repository URL. */
  readonly isName: boolean;
  /** True if the text without its spaces is a word of the name or tags of a listing. */
  readonly isKnown: boolean;
  /**
   * True for a long, pasted text. Such a text is searched without synonyms, and its words do not match longer words
   * that begin with them.
   */
  readonly isLong: boolean;
  /** Number of listings in the directory. */
  readonly listings: number;
}

/** Maximum words of a text that are parsed, and maximum words that are searched for. */
const MAX_READ = 100;
const MAX_TERMS = 12;
/** Minimum length of a long text, in characters. A long text also has more than `MAX_TERMS` words. */
const LONG_TEXT = 100;
/** Maximum words of a text whose spelling is corrected. A longer text has enough correct words to match. */
const MAX_CORRECTED_TEXT = 6;
/**
 * Number of listings below which a word counts as rare: it is still searched for as typed after the whole text was
 * corrected to a name.
 */
const MAX_TYPED = 10;
/**
 * Builds a search for listings that have words of the text, such as the name and tags of a listing. Corrects no
 * spelling and adds no synonyms.
 */
export async function buildLikeness(connection: Connection, text: string): Promise<DirectorySearch | null> {
  return (await parseText(connection, text, NO_SYNONYMS, null)).search;
}

/**
 * Parses a search text and looks its words up in the vocabulary. Returns null if the text has no words; such a text
 * matches nothing. Words contain only letters, marks and digits, so that no character of the text can act as an
 * operator of a `tsquery`.
 */
export async function buildSearch(
  connection: Connection,
  text: string,
  synonyms: Synonyms = NO_SYNONYMS,
): Promise<DirectorySearch | null> {
  const { search, name } = await parseText(connection, text, synonyms, []);
  if (search === null || name === null) return search;
  const rare = search.terms.filter(({ share }) => share * search.listings < MAX_TYPED);
  const typed = rare.map(({ word }) => word);
  const other = await parseText(connection, name, synonyms, typed);
  if (other.search === null) return search;
  const named = `${search.named} | ${other.search.named}`;
  return { ...other.search, text, named, ignoredWords: search.ignoredWords, didYouMean: name };
}

interface ParsedText {
  search: DirectorySearch | null;
  /** Name of the listing whose spelling is nearest to the whole text; null if the text was not corrected as a whole. */
  name: string | null;
}

/**
 * Parses a text. If the text is a corrected name, `typed` contains the rare words as typed, which count as further
 * forms of each term. If `typed` is null, spelling is not corrected.
 */
async function parseText(
  connection: Connection,
  text: string,
  synonyms: Synonyms,
  typed: readonly string[] | null,
): Promise<ParsedText> {
  const sequence = queryWords(text).slice(0, MAX_READ);
  const words = [...new Set(sequence)];
  if (words.length === 0) return { search: null, name: null };
  const telling = words.filter((word) => !isStopWord(word));
  const asked = telling.length === 0 ? words : telling;
  const isLong = asked.length > MAX_TERMS && text.length >= LONG_TEXT;
  const replacements = replacementsOf(
    sequence.filter((word) => !isStopWord(word)),
    isLong ? NO_SYNONYMS : synonyms,
  );
  const whole = joinWords(text);
  const vocabulary = await readVocabulary(connection, asked, replacements, isLong ? null : whole);
  const countOf = (word: string) => vocabulary.of(word).listings || Number.POSITIVE_INFINITY;
  const byRarity = asked.toSorted((one, other) => countOf(one) - countOf(other));
  const kept = new Set(byRarity.slice(0, MAX_TERMS));
  const looked = asked.filter((word) => kept.has(word));
  const repository = repositoryOf(text);
  const isName = repository !== null || !MANY_WORDS.test(text.trim());
  const corrected =
    typed === null || looked.length > MAX_CORRECTED_TEXT
      ? NO_CORRECTIONS
      : await correctText(
          connection,
          vocabulary,
          looked,
          replacements,
          typed.length > 0 || repository !== null ? null : whole,
          isName,
        );
  const terms = looked.map((word, at) =>
    termOf(word, at, { looked, vocabulary, replacements, corrected, typed: typed ?? [] }),
  );
  const search: DirectorySearch = {
    text,
    terms: terms.sort((one, other) => other.weight - one.weight),
    ignoredWords: [
      ...(telling.length === 0 ? [] : words.filter(isStopWord)).map(
        (word) => ({ word, reason: 'common' }) as const,
      ),
      ...asked.filter((word) => !kept.has(word)).map((word) => ({ word, reason: 'beyond_limit' }) as const),
    ],
    didYouMean: corrected.text,
    named: [
      lexeme(FIELD_PREFIX.wholeName + whole),
      ...(repository === null ? [] : [lexeme(FIELD_PREFIX.repository + repository)]),
    ].join(' | '),
    isName,
    isKnown: vocabulary.of(whole).named > 0,
    isLong,
    listings: vocabulary.total,
  };
  return { search, name: corrected.whole };
}

/** Matches a text of several words; any text of a script without spaces may be one. */
const MANY_WORDS = new RegExp(String.raw`\s|${UNSPACED_CHARACTER}`, 'u');

/** Matches a repository URL, or `owner/name` alone. */
const REPOSITORY =
  /^(?:(?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}\/)?([^/\s]+)\/([^/\s?#]+?)(?:\.git)?\/?(?:[?#]\S*)?$/i;

/** Returns `owner/name`, with each part as one word, if the text is only that or a repository URL; otherwise null. */
function repositoryOf(text: string): string | null {
  const [, owner = '', name = ''] = REPOSITORY.exec(text.trim()) ?? [];
  const whole = joinedRepository(`${owner}/${name}`);
  return /^[^/]+\/[^/]+$/.test(whole) ? whole : null;
}
