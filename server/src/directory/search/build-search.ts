import { FIELD_PREFIX, joinedRepository, joinWords } from '../../catalog/listings/listing-words.ts';
import { queryWords, UNSPACED_CHARACTER } from '../../catalog/listings/search-words.ts';
import { isStopWord } from '../../catalog/listings/stop-words.ts';
import { NO_SYNONYMS, type Synonyms } from '../../catalog/listings/synonyms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type CorrectableText, type Correction, correctText } from './correct-spelling.ts';
import { type IgnoredWord, lexeme, termOf, type WeightedTerm } from './search-term.ts';
import { readVocabulary, replacementsOf } from './vocabulary.queries.ts';

/** A parsed search text. */
export interface DirectorySearch {
  /** The text, with corrected words or, if it was corrected to a name, this name. */
  readonly text: string;
  /** Terms of the text, heaviest first. */
  readonly terms: readonly WeightedTerm[];
  readonly ignoredWords: readonly IgnoredWord[];
  /** The text, if its spelling was corrected; otherwise null. */
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
  return (await parseText(connection, text, NO_SYNONYMS))?.search ?? null;
}

/**
 * Parses a search text and looks its words up in the vocabulary. Returns null if the text has no words; such a text
 * matches nothing. Words contain only letters, marks and digits, so that no character of the text can act as an
 * operator of a `tsquery`. A text with corrected spelling is parsed again, so that its words have the same synonyms and
 * weights as if they were typed correctly; the words as typed then count as further forms of them.
 */
export async function buildSearch(
  connection: Connection,
  text: string,
  synonyms: Synonyms = NO_SYNONYMS,
): Promise<DirectorySearch | null> {
  const parsed = await parseText(connection, text, synonyms);
  if (parsed === null) return null;
  const { search, words } = parsed;
  const correction = words.length > MAX_CORRECTED_TEXT ? null : await correctText(connection, parsed);
  if (correction === null) return search;
  const again = await parseText(connection, correction.text, synonyms, typedWords(search, correction));
  if (again === null) return search;
  const named = `${search.named} | ${again.search.named}`;
  return { ...again.search, named, ignoredWords: search.ignoredWords, didYouMean: correction.text };
}

/**
 * Returns a function for the words as typed that are still searched for with a corrected word. If the text was corrected
 * to a name, these are all of its rare words.
 */
function typedWords({ terms, listings }: DirectorySearch, { words }: Correction): TypedWords {
  if (words === null) {
    const rare = terms.filter(({ share }) => share * listings < MAX_TYPED).map(({ word }) => word);
    return () => rare;
  }
  return (word) => [...words].flatMap(([typed, corrected]) => (corrected === word ? [typed] : []));
}

type TypedWords = (word: string) => readonly string[];

interface ParsedText extends CorrectableText {
  search: DirectorySearch;
}

/** Parses a text; `typedFor` returns the words as typed of a corrected word. Returns null if the text has no words. */
async function parseText(
  connection: Connection,
  text: string,
  synonyms: Synonyms,
  typedFor: TypedWords = () => [],
): Promise<ParsedText | null> {
  const sequence = queryWords(text).slice(0, MAX_READ);
  const words = [...new Set(sequence)];
  if (words.length === 0) return null;
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
  const terms = looked.map((word, at) =>
    termOf(word, at, { looked, vocabulary, replacements, typed: typedFor(word) }),
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
    didYouMean: null,
    named: [
      lexeme(FIELD_PREFIX.wholeName + whole),
      ...(repository === null ? [] : [lexeme(FIELD_PREFIX.repository + repository)]),
    ].join(' | '),
    isName,
    isKnown: vocabulary.of(whole).named > 0,
    isLong,
    listings: vocabulary.total,
  };
  return {
    search,
    text,
    words: looked,
    vocabulary,
    replacements,
    isName,
    whole: repository === null ? whole : null,
  };
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
