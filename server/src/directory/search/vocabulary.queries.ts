import { FIELD_PREFIX } from '../../catalog/listings/listing-words.ts';
import { stemOf } from '../../catalog/listings/search-words.ts';
import { MAX_SYNONYM_WORDS, type Synonyms, synonymsOf } from '../../catalog/listings/synonyms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';

/** The part of the vocabulary that a search needs. */
export interface Vocabulary {
  of(word: string): KnownWord;
  readonly total: number;
}

/** A synonym, by its words, of one word of the text or of a phrase. */
export interface Replacement {
  readonly words: readonly string[];
  /** True if it replaces the word only together with its neighbours. */
  readonly isOfPhrase: boolean;
}

/** Synonyms by word of the text. */
export type Replacements = ReadonlyMap<string, readonly Replacement[]>;

/** Finds the synonyms of each word, and of each sequence of adjacent words. */
export function replacementsOf(sequence: readonly string[], synonyms: Synonyms): Replacements {
  const found = new Map<string, Replacement[]>();
  for (let at = 0; at < sequence.length; at += 1)
    for (let length = 1; length <= MAX_SYNONYM_WORDS && at + length <= sequence.length; length += 1) {
      const run = sequence.slice(at, at + length);
      const others = synonymsOf(synonyms, run).map((words) => ({ words, isOfPhrase: length > 1 }));
      if (others.length > 0)
        for (const word of new Set(run)) found.set(word, [...(found.get(word) ?? []), ...others]);
    }
  return found;
}

/**
 * Looks up the words, their synonyms, each two adjacent words joined, and `whole`, the text without its spaces. If
 * `whole` is null, looks up only the words and their synonyms, and does not count longer words that begin with them.
 */
export async function readVocabulary(
  connection: Connection,
  words: readonly string[],
  replacements: Replacements,
  whole: string | null,
): Promise<Vocabulary> {
  const others = words.flatMap((word) => (replacements.get(word) ?? []).flatMap((each) => each.words));
  const joined = whole === null ? [] : words.slice(1).map((word, at) => `${words[at]}${word}`);
  const unfinished = whole === null ? [] : [...words, whole];
  const all = [...new Set([...words, ...unfinished, ...joined, ...others])];
  const known = await readKnownWords(connection, all, unfinished);
  const byWord = new Map(known.map((each) => [each.word, each]));
  const total = known[0]?.total ?? 0;
  return { total, of: (word) => byWord.get(word) ?? { word, listings: 0, named: 0, longer: 0, total } };
}

/** Entry of the vocabulary for a word. */
export interface KnownWord {
  word: string;
  /** Number of listings that have a word with this stem. */
  listings: number;
  /** Number of listings that have a word with this stem in their name or tags. */
  named: number;
  /** Sum of the listings of up to 300 longer words that begin with the word; 0 if not requested. */
  longer: number;
  /** Number of listings in the directory; the same for all words. */
  total: number;
}

/** Maximum longer words that are counted. */
const MAX_LONGER = 300;

const KNOWN_WORDS = `SELECT asked.word, coalesce(known.listings, 0) AS listings, coalesce(known.named, 0) AS named,
    coalesce(longer.listings, 0)::int AS longer, (SELECT coalesce(sum(difference), 0)::bigint FROM listing_total) AS total
  FROM unnest($1::text[], $2::text[], $3::boolean[]) AS asked (word, stem, unfinished)
  CROSS JOIN LATERAL (SELECT max(s.listings) AS listings, max(s.named) AS named FROM search_word s
    WHERE s.word = asked.stem COLLATE "C") AS known
  CROSS JOIN LATERAL (SELECT sum(l.listings) AS listings FROM (SELECT s.listings FROM search_word s
      WHERE asked.unfinished AND s.word > asked.word COLLATE "C" AND s.word < (asked.word || U&'\\+10FFFF') COLLATE "C" LIMIT ${MAX_LONGER}) AS l) AS longer`;

/** Looks words up in the vocabulary; counts the longer words that begin with those in `unfinished`. */
function readKnownWords(
  connection: Connection,
  words: readonly string[],
  unfinished: readonly string[],
): Promise<KnownWord[]> {
  const isUnfinished = new Set(unfinished);
  return connection.query<KnownWord>(KNOWN_WORDS, [
    words,
    words.map(stemOf),
    words.map((word) => isUnfinished.has(word)),
  ]);
}

/** Minimum length of a word that is corrected, because one edit turns a shorter word into another word. */
export const MIN_SPELLING_LENGTH = 4;

/** Returns the given words that occur in the name or tags of any listing. */
export async function findNamedWords(connection: Connection, words: readonly string[]): Promise<string[]> {
  const rows = await connection.query<{ word: string }>(
    `SELECT DISTINCT s.word FROM unnest($1::text[]) AS asked (word)
     JOIN search_word s ON s.word = asked.word COLLATE "C" AND s.named > 0`,
    [words],
  );
  return rows.map(({ word }) => word);
}

/**
 * Matches a word that has trigrams, which consist of ASCII letters and digits only. For a word without trigrams,
 * PostgreSQL would compare all words of the vocabulary.
 */
const HAS_TRIGRAMS = /[a-z0-9]/;

/** Returns the words of names and tags that share the most trigrams with a word; `least` is the minimum similarity. */
export async function findNearWords(
  connection: Connection,
  asked: string,
  least: number,
  most: number,
): Promise<string[]> {
  if (!HAS_TRIGRAMS.test(asked)) return [];
  const rows = await connection.query<{ word: string }>('SELECT word FROM near_words($1, $2, $3)', [
    asked,
    least,
    most,
  ]);
  return rows.map(({ word }) => word);
}

/** Maximum listings read per spelling. */
const MAX_LOOKED_AT = 500;

/** Best listing with a spelling. */
export interface SpellingMatch {
  word: string;
  /**
   * Name of the most popular listing whose name consists of only this word; null if the word is only part of names or
   * tags.
   */
  name: string | null;
  /** Popularity of the best listing with this spelling. */
  popularity: number;
}

/**
 * Returns the given spellings that listings have at present (the vocabulary may be older), each with its best listing.
 */
export function findSpellingMatches(
  connection: Connection,
  words: readonly string[],
): Promise<SpellingMatch[]> {
  const { wholeName, name, tag } = FIELD_PREFIX;
  const searches = words.map(
    (word) => `'${wholeName}${word}' | '${name}${stemOf(word)}' | '${tag}${stemOf(word)}'`,
  );
  return connection.query<SpellingMatch>(
    `${FRESH_PLAN} SELECT asked.word, CASE WHEN best."isWhole" THEN l.name END AS name, best.popularity
     FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (word, search, whole)
     CROSS JOIN LATERAL (
       SELECT * FROM (SELECT subject_id, agent_id, popularity, words @@ asked.whole::tsquery AS "isWhole" FROM listing_words
         WHERE words @@ asked.search::tsquery LIMIT ${MAX_LOOKED_AT}) AS bearing
       ORDER BY "isWhole" DESC, popularity DESC, agent_id LIMIT 1) AS best
     JOIN listing l ON l.subject_id = best.subject_id`,
    [words, searches, words.map((word) => `'${wholeName}${word}'`)],
  );
}
