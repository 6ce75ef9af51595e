import { distinctWords, searchWords, storedWords } from './search-words.ts';

/** What a listing says that it can be found by. */
export interface ListingTexts {
  name: string;
  /** `owner/name`. */
  repository: string;
  description: string;
  tags: readonly string[];
  /** The creator's handle and display name. */
  creatorNames: readonly (string | null)[];
}

/**
 * Where a word stands, told by a character before it that no word has. What a listing is found by is kept once as it is
 * and once more for each of these, in one index: a search in the names alone is then as cheap as any other.
 */
export const PLACE = { name: '=', wholeName: '^', repository: '~', tag: '+', creator: '@' } as const;

/** How words are marked of which none is asked for by itself. `#` is left: so begin what lists are filtered by. */
export const MARKS = Object.values(PLACE).join('');

/** In shorter words another letter is another word; longer ones nobody types. */
export const LEAST_SPELLED = 4;
const MOST_SPELLED = 60;

/** What a listing is found by: the different words of its texts, and where they stand; for `array_to_tsvector($1)`. */
export function listingWords(texts: ListingTexts): string[] {
  const repository = texts.repository.slice(texts.repository.indexOf('/') + 1);
  const names = [...new Set([texts.name, repository])];
  const name = names.flatMap(nameWords);
  const tags = texts.tags.flatMap((tag) => [...storedWords(tag), runTogether(tag)]);
  const creator = texts.creatorNames.flatMap((each) =>
    each === null ? [] : [...storedWords(each), runTogether(each)],
  );
  const marked = (mark: string, words: readonly string[]) => words.map((word) => mark + word);
  return distinctWords(
    [
      ...marked(PLACE.wholeName, names.map(runTogether)),
      PLACE.repository + wholeRepository(texts.repository),
      ...marked(PLACE.name, name),
      ...marked(PLACE.tag, tags),
      ...marked(PLACE.creator, creator),
      ...[...name, ...tags, ...creator],
      ...storedWords(texts.description),
    ].filter((word) => word.length > 1 || !MARKS.includes(word)),
  );
}

/** How the names and tags among the words of listings are spelled, where they are long enough to be mistyped. */
export function spellingsOf(words: readonly string[]): string[] {
  const places: string[] = [PLACE.name, PLACE.wholeName, PLACE.tag];
  const spelled = words.filter((word) => places.includes(word[0] ?? '')).map((word) => word.slice(1));
  return [...new Set(spelled)]
    .filter(({ length }) => length >= LEAST_SPELLED && length <= MOST_SPELLED)
    .sort();
}

/** A text as one word, however it was written: `Browser-Use`, `browser use` and `browseruse` are the same. */
export function runTogether(text: string): string {
  return searchWords(text).join('').slice(0, 100);
}

/** `owner/name`, each as one word. */
export function wholeRepository(repository: string): string {
  return repository.split('/').map(runTogether).join('/');
}

/** The words of a name, also where capitals begin them, and run together: each with the next one, and all. */
function nameWords(name: string): string[] {
  const words = searchWords(name);
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word}`);
  return [...storedWords(name), ...searchWords(withSpaces(name)), ...pairs, runTogether(name)];
}

/** `LlamaIndexTS` as it would be read out: `Llama Index TS`. */
function withSpaces(name: string): string {
  return name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
}
