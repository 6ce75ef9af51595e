import { FIELD_PREFIX, joinedRepository, joinWords } from '../../catalog/listings/listing-words.ts';
import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { queryWords, stemOf } from '../../catalog/listings/search-words.ts';
import { isStopWord } from '../../catalog/listings/stop-words.ts';
import {
  MAX_SYNONYM_WORDS,
  NO_SYNONYMS,
  type Synonyms,
  synonymKey,
} from '../../catalog/listings/synonyms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { correctWhole, correctWord } from './correct-spelling.ts';
import type { IgnoredWord, SearchTerm } from './search-term.ts';
import { type KnownWord, MIN_SPELLING_LENGTH, readKnownWords } from './vocabulary.queries.ts';

/** A term of a search with the queries (texts for `$1::tsquery`) that find it in the fields of a listing. */
export interface WeightedTerm extends SearchTerm {
  /** Weight relative to the other terms: rare words that are in names and tags weigh most. */
  readonly weight: number;
  /** Estimated number of listings that `any` finds. */
  readonly expected: number;
  readonly any: string;
  readonly name: string;
  readonly tag: string;
  readonly text: string;
  readonly weak: string;
  /** Synonyms in names and tags, and in descriptions; null without synonyms. */
  readonly synonym: { readonly strong: string; readonly text: string } | null;
}

/** A parsed search text. */
export interface DirectorySearch {
  readonly text: string;
  /** Terms of the text, heaviest first. */
  readonly terms: readonly WeightedTerm[];
  readonly ignoredWords: readonly IgnoredWord[];
  /** Text with corrected spelling that was searched too; null if nothing was corrected. */
  readonly didYouMean: string | null;
  /** Query for listings whose name or repository is the text, or its correction. */
  readonly named: string;
  /** True if the text can only be a name: a single word, or `owner/name`. */
  readonly isName: boolean;
}

/** Maximum words that are read of a text, and maximum words that are looked for. */
const MAX_READ = 100;
const MAX_TERMS = 12;
/** Maximum words whose spelling is corrected. */
const MAX_CORRECTED = 3;
/** A word with fewer listings may be misspelled. */
const ENOUGH_LISTINGS = 3;
/** Assumed share of names and tags for a word that only synonyms or longer words are listed for. */
const UNSEEN_TOPIC = 0.5;
/** A word counts as the beginning of longer words if these have so many times its listings. */
const UNFINISHED = 20;

/**
 * Builds a search from the name and tags of a listing, for listings that are like it. Nothing is corrected or replaced
 * by synonyms.
 */
export async function buildLikeness(connection: Connection, text: string): Promise<DirectorySearch | null> {
  return (await parseText(connection, text, NO_SYNONYMS, null)).search;
}

/**
 * Parses a search text and looks its words up in the vocabulary. Returns null if the text has no words; such a text
 * matches nothing. Words contain only letters, marks and digits, so that no character of the text can act as an
 * operator.
 */
export async function buildSearch(
  connection: Connection,
  text: string,
  synonyms: Synonyms = NO_SYNONYMS,
): Promise<DirectorySearch | null> {
  const { search, name } = await parseText(connection, text, synonyms, []);
  if (search === null || name === null) return search;
  const typed = search.terms.map(({ word }) => word);
  const other = await parseText(connection, name, synonyms, typed);
  if (other.search === null) return search;
  const named = `${search.named} | ${other.search.named}`;
  return { ...other.search, text, named, ignoredWords: search.ignoredWords, didYouMean: name };
}

interface ParsedText {
  search: DirectorySearch | null;
  /** Name of a listing that is nearest to the whole text, if the text has unknown words. */
  name: string | null;
}

/** Parses a text. `typed`: words that count as forms of each term; null if nothing is corrected. */
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
  const replacements = replacementsOf(
    sequence.filter((word) => !isStopWord(word)),
    synonyms,
  );
  const vocabulary = await readVocabulary(connection, asked, replacements, joinWords(text));
  const byRarity = asked
    .map((word) => ({ word, count: vocabulary.of(word).listings || Number.POSITIVE_INFINITY }))
    .sort((one, other) => one.count - other.count)
    .map(({ word }) => word);
  const kept = new Set(byRarity.slice(0, MAX_TERMS));
  const looked = asked.filter((word) => kept.has(word));
  const whole = joinWords(text);
  const repository = repositoryOf(text);
  const isName = repository !== null || !/\s/.test(text.trim());
  const corrected =
    typed === null
      ? NO_CORRECTIONS
      : await correct(
          connection,
          vocabulary,
          looked,
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
  };
  return { search, name: corrected.whole };
}

interface Vocabulary {
  of(word: string): KnownWord;
  readonly total: number;
}

/** Synonyms by each word of the text that they replace, alone or with its neighbours. */
type Replacements = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Finds the synonyms of all runs of adjacent words. */
function replacementsOf(sequence: readonly string[], synonyms: Synonyms): Replacements {
  const found = new Map<string, (readonly string[])[]>();
  for (let at = 0; at < sequence.length; at += 1)
    for (let length = 1; length <= MAX_SYNONYM_WORDS && at + length <= sequence.length; length += 1) {
      const run = sequence.slice(at, at + length);
      const others = synonyms.get(synonymKey(run)) ?? [];
      if (others.length > 0)
        for (const word of new Set(run)) found.set(word, [...(found.get(word) ?? []), ...others]);
    }
  return found;
}

/** Looks up the words, their synonyms, adjacent words joined, and the whole text joined. */
async function readVocabulary(
  connection: Connection,
  words: readonly string[],
  replacements: Replacements,
  whole: string,
): Promise<Vocabulary> {
  const others = words.flatMap((word) => (replacements.get(word) ?? []).flat());
  const joined = words.slice(1).map((word, at) => `${words[at]}${word}`);
  const all = [...new Set([...words, ...joined, ...others, whole])].map((word) => ({
    word,
    stem: stemOf(word),
  }));
  const known = await readKnownWords(connection, all);
  const byWord = new Map(known.map((each) => [each.word, each]));
  const total = known[0]?.total ?? 0;
  return { total, of: (word) => byWord.get(word) ?? { word, listings: 0, named: 0, longer: 0, total } };
}

interface Corrections {
  /** Corrected words by the word as typed. */
  words: ReadonlyMap<string, KnownWord>;
  /** Name of a listing that is nearest to the whole text; null if none is near. */
  whole: string | null;
  text: string | null;
}

/**
 * Corrects words that few or no listings have: first the text as a whole name, then word by word. A text without spaces
 * is a name, which is corrected unless some name has it.
 */
async function correct(
  connection: Connection,
  vocabulary: Vocabulary,
  words: readonly string[],
  whole: string | null,
  isName: boolean,
): Promise<Corrections> {
  const unknown = words.filter((word) => isUnknown(vocabulary.of(word))).slice(0, MAX_CORRECTED);
  const isUnknownName = isName && whole !== null && words.length > 1 && isUnknown(vocabulary.of(whole));
  if (unknown.length === 0 && !isUnknownName) return NO_CORRECTIONS;
  const name = whole === null ? null : await correctWhole(connection, whole);
  if (name !== null) return { ...NO_CORRECTIONS, whole: name };
  const corrections = new Map<string, string>();
  for (const word of unknown) {
    const other = await correctWord(connection, word);
    if (other !== null) corrections.set(word, other);
  }
  if (corrections.size === 0) return NO_CORRECTIONS;
  const known = await readKnownWords(
    connection,
    [...corrections.values()].map((word) => ({ word, stem: stemOf(word) })),
  );
  const byWord = new Map(known.map((each) => [each.word, each]));
  const found = [...corrections].flatMap(([word, other]) => {
    const each = byWord.get(other);
    return each ? [[word, each] as const] : [];
  });
  return {
    words: new Map(found),
    whole: null,
    text: words.map((word) => corrections.get(word) ?? word).join(' '),
  };
}

const NO_CORRECTIONS: Corrections = { words: new Map(), whole: null, text: null };

/** Returns true if a word is probably misspelled: no name or tag has it, and few listings have it. */
function isUnknown(known: KnownWord): boolean {
  if (known.word.length < MIN_SPELLING_LENGTH) return false;
  return known.named === 0 && known.listings + known.longer < ENOUGH_LISTINGS;
}

interface TermParts {
  looked: readonly string[];
  vocabulary: Vocabulary;
  replacements: Replacements;
  corrected: Corrections;
  typed: readonly string[];
}

function termOf(
  word: string,
  at: number,
  { looked, vocabulary, replacements, corrected, typed }: TermParts,
): WeightedTerm {
  const known = vocabulary.of(word);
  const correction = corrected.words.get(word) ?? null;
  const pairs = [joined(looked[at - 1], word), joined(word, looked[at + 1])].filter(
    (pair): pair is string => pair !== null && vocabulary.of(pair).listings > 0,
  );
  const others = replacements.get(word) ?? [];
  const own = [...new Set([word, correction?.word ?? word])];
  const stems = [...new Set([...own, ...typed, ...pairs].map(stemOf))];
  const sumOf = (of: (each: KnownWord) => number) => of(known) + (correction ? of(correction) : 0);
  const listings = sumOf((each) => each.listings);
  const isUnfinished = known.longer > UNFINISHED * listings;
  const bySynonyms = others.map((words) => Math.min(...words.map((each) => vocabulary.of(each).listings)));
  const found = Math.min(
    vocabulary.total,
    listings + (isUnfinished ? known.longer : 0) + bySynonyms.reduce((sum, each) => sum + each, 0),
  );
  const topic = listings === 0 ? UNSEEN_TOPIC : Math.min(1, sumOf((each) => each.named) / listings);
  const { name, tag, weak } = FIELD_PREFIX;
  const within = (field: string) =>
    [
      ...stems.map((stem) => lexeme(field + stem)),
      ...(isUnfinished ? [`${lexeme(field + word)}:*`] : []),
    ].join(' | ');
  const inText = (stem: string) => `(${lexeme(stem)} & !${lexeme(weak + stem)})`;
  const alternatives = (field: (stem: string) => string) =>
    others.map((words) => words.map((each) => `(${field(stemOf(each))})`).join(' & ')).join(' | ');
  const prefix = `${lexeme(word)}:*`;
  return {
    word: correction?.word ?? word,
    forms: [...own, ...typed].map((each) => [each]).concat(others.map((words) => [...words])),
    weight: weightOf(vocabulary.total, found, topic),
    expected: Math.min(vocabulary.total, found + known.longer),
    any: [...stems.map(lexeme), prefix, ...(others.length === 0 ? [] : [alternatives(lexeme)])].join(' | '),
    name: within(name),
    tag: within(tag),
    text: [...stems.map(inText), ...(isUnfinished ? [prefix] : [])].join(' | '),
    weak: [...stems.map(lexeme), prefix].join(' | '),
    synonym:
      others.length === 0
        ? null
        : {
            strong: alternatives((stem) => `${lexeme(name + stem)} | ${lexeme(tag + stem)}`),
            text: alternatives(inText),
          },
  };
}

/** Returns the weight of a word: its rarity, reduced for words that are rarely in names and tags. */
function weightOf(total: number, listings: number, topic: number): number {
  const { maxRarity, minTopic, topicPower, unknown } = SEARCH_WEIGHTS;
  if (listings === 0) return unknown;
  const rarity = Math.min(maxRarity, Math.log(1 + total / listings));
  return rarity * (minTopic + (1 - minTopic) * topic ** topicPower);
}

function joined(one: string | undefined, other: string | undefined): string | null {
  return one === undefined || other === undefined ? null : `${one}${other}`;
}

/** Quotes a word for a `tsquery`. */
function lexeme(word: string): string {
  return `'${word}'`;
}

/** Matches a repository URL, or the `owner/name` at its end. */
const REPOSITORY =
  /^(?:(?:https?:\/\/)?(?:[a-z0-9-]+\.)+[a-z]{2,}\/)?([^/\s]+)\/([^/\s?#]+?)(?:\.git)?\/?(?:[?#]\S*)?$/i;

/** Returns `owner/name`, with each part as one word, if the text is only that or a repository URL; otherwise null. */
function repositoryOf(text: string): string | null {
  const [, owner = '', name = ''] = REPOSITORY.exec(text.trim()) ?? [];
  const whole = joinedRepository(`${owner}/${name}`);
  return /^[^/]+\/[^/]+$/.test(whole) ? whole : null;
}
