import { MAX_SYNONYM_WORDS, type Synonyms, synonymKey } from '../../catalog/listings/synonyms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type KnownWord, readKnownWords } from './vocabulary.queries.ts';

/** The part of the vocabulary that a search needs. */
export interface Vocabulary {
  of(word: string): KnownWord;
  readonly total: number;
}

/** Synonyms by each word of the text that they replace, alone or with its neighbours. */
export type Replacements = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Finds the synonyms of all runs of adjacent words. */
export function replacementsOf(sequence: readonly string[], synonyms: Synonyms): Replacements {
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

/**
 * Looks up the words, their synonyms, adjacent words joined, and the whole text joined. If `whole` is false, looks up
 * only the words, and does not count longer words that begin with them.
 */
export async function readVocabulary(
  connection: Connection,
  words: readonly string[],
  replacements: Replacements,
  whole: string | null,
): Promise<Vocabulary> {
  const others = words.flatMap((word) => (replacements.get(word) ?? []).flat());
  const joined = whole === null ? [] : words.slice(1).map((word, at) => `${words[at]}${word}`);
  const unfinished = whole === null ? [] : [...words, whole];
  const all = [...new Set([...words, ...unfinished, ...joined, ...others])];
  const known = await readKnownWords(connection, all, unfinished);
  const byWord = new Map(known.map((each) => [each.word, each]));
  const total = known[0]?.total ?? 0;
  return { total, of: (word) => byWord.get(word) ?? { word, listings: 0, named: 0, longer: 0, total } };
}
