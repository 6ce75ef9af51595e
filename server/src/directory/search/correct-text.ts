import type { Connection } from '../../platform/database/connect.ts';
import { correctWhole, correctWord } from './correct-spelling.ts';
import type { Vocabulary } from './read-vocabulary.ts';
import { type KnownWord, MIN_SPELLING_LENGTH, readKnownWords } from './vocabulary.queries.ts';

/** Maximum words whose spelling is corrected. */
const MAX_CORRECTED = 3;
/** A word with fewer listings may be misspelled. */
const ENOUGH_LISTINGS = 3;

/** Corrections of a search text. */
export interface Corrections {
  /** Corrected words by the word as typed. */
  words: ReadonlyMap<string, KnownWord>;
  /** Name of a listing that is nearest to the whole text; null if none is near. */
  whole: string | null;
  /** The text with its corrected words; null if none was corrected. */
  text: string | null;
}

/**
 * Corrects words that few or no listings have: first the text as a whole name, then word by word. A text without spaces
 * is a name, which is corrected unless some name has it.
 */
export async function correctText(
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
  const others = [...corrections.values()];
  const known = await readKnownWords(connection, others, others);
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

/** Result for a text without misspelled words. */
export const NO_CORRECTIONS: Corrections = { words: new Map(), whole: null, text: null };

/** Returns true if a word is probably misspelled: no name or tag has it, and few listings have it. */
function isUnknown(known: KnownWord): boolean {
  if (known.word.length < MIN_SPELLING_LENGTH) return false;
  return known.named === 0 && known.listings + known.longer < ENOUGH_LISTINGS;
}
