import { distinctWords, indexWords, searchWords } from './search-words.ts';

/** Texts that a listing can be found by. */
export interface ListingTexts {
  name: string;
  /** Repository in the form `owner/name`. */
  repository: string;
  description: string;
  tags: readonly string[];
  /** The creator's handle and display name. */
  creatorNames: readonly (string | null)[];
}

/**
 * Field prefixes of search words: characters with which no word begins. Each word is indexed once without a prefix,
 * and once per field in which it occurs, so that a search of names alone takes no longer than a search of all fields.
 */
export const FIELD_PREFIX = { name: '=', wholeName: '^', repository: '~', tag: '+', creator: '@' } as const;

/** All field prefixes. `#` is not one of them, because filter terms begin with it. */
export const FIELD_PREFIXES = Object.values(FIELD_PREFIX).join('');

/**
 * Length limits of words for spelling suggestions. One edit turns a shorter word into another word, and nobody types
 * longer ones.
 */
export const MIN_SPELLING_LENGTH = 4;
const MAX_SPELLING_LENGTH = 60;

/** Returns the distinct search words of a listing, plain and with field prefixes, for `array_to_tsvector($1)`. */
export function listingWords(texts: ListingTexts): string[] {
  const repository = texts.repository.slice(texts.repository.indexOf('/') + 1);
  const names = [...new Set([texts.name, repository])];
  const name = names.flatMap(nameWords);
  const tags = texts.tags.flatMap((tag) => [...indexWords(tag), joinWords(tag)]);
  const creator = texts.creatorNames.flatMap((each) =>
    each === null ? [] : [...indexWords(each), joinWords(each)],
  );
  const marked = (mark: string, words: readonly string[]) => words.map((word) => mark + word);
  return distinctWords(
    [
      ...marked(FIELD_PREFIX.wholeName, names.map(joinWords)),
      FIELD_PREFIX.repository + joinedRepository(texts.repository),
      ...marked(FIELD_PREFIX.name, name),
      ...marked(FIELD_PREFIX.tag, tags),
      ...marked(FIELD_PREFIX.creator, creator),
      ...[...name, ...tags, ...creator],
      ...indexWords(texts.description),
    ].filter((word) => word.length > 1 || !FIELD_PREFIXES.includes(word)),
  );
}

/** Returns the words from names and tags that are long enough for spelling suggestions. */
export function spellingsOf(words: readonly string[]): string[] {
  const places: string[] = [FIELD_PREFIX.name, FIELD_PREFIX.wholeName, FIELD_PREFIX.tag];
  const spelled = words.filter((word) => places.includes(word[0] ?? '')).map((word) => word.slice(1));
  return [...new Set(spelled)]
    .filter(({ length }) => length >= MIN_SPELLING_LENGTH && length <= MAX_SPELLING_LENGTH)
    .sort();
}

/** Joins a text into one word, so that `Browser-Use`, `browser use` and `browseruse` are equal. */
export function joinWords(text: string): string {
  return searchWords(text).join('').slice(0, 100);
}

/** Joins owner and name of `owner/name` into one word each. */
export function joinedRepository(repository: string): string {
  return repository.split('/').map(joinWords).join('/');
}

/** Returns the words of a name, split at spaces and at capitals; also each adjacent pair joined, and all joined. */
function nameWords(name: string): string[] {
  const words = searchWords(name);
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word}`);
  return [...indexWords(name), ...searchWords(withSpaces(name)), ...pairs, joinWords(name)];
}

/** Splits camel case: `LlamaIndexTS` becomes `Llama Index TS`. */
function withSpaces(name: string): string {
  return name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
}
