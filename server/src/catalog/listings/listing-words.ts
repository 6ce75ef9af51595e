import { distinctWords, indexWords, searchWords, stemOf, WORDS_PER_LISTING } from './search-words.ts';

/** Texts that a listing can be found by. */
export interface ListingTexts {
  name: string;
  /** Repository in the form `owner/name`. */
  repository: string;
  description: string;
  tags: readonly string[];
  category: string;
  /** The creator's handle and display name. */
  creatorNames: readonly (string | null)[];
  /** Names and descriptions of the artifacts inside the repository. */
  artifacts?: readonly string[] | undefined;
}

/**
 * Prefixes that mark the field of a search word; no word begins with these characters. Each word is indexed without a
 * prefix, as written and as its stem; a word that only artifacts have, only as its stem. If a word occurs in the name
 * or in the tags, its stem is also indexed with the prefix of that field; the category counts as a tag. `wholeName`
 * marks the complete name, joined into one word, and `repository` marks the owner and the name of the repository, each
 * joined. `formerWeak` marked weak stems in releases before `IndexedWords`; rows of these releases still have it.
 */
export const FIELD_PREFIX = {
  name: '=',
  wholeName: '^',
  repository: '~',
  tag: '+',
  formerWeak: '%',
} as const;

/** All field prefixes. `#` is not one of them, because filter terms begin with it. */
const FIELD_PREFIXES = Object.values(FIELD_PREFIX).join('');

/**
 * Maximum distinct words of artifacts per listing; without it, a repository with hundreds of skills would match any
 * search.
 */
const MAX_ARTIFACT_WORDS = 400;

/** Search words of a listing. */
export interface IndexedWords {
  /** Distinct words, plain and with field prefixes, for `array_to_tsvector`. */
  words: string[];
  /**
   * Stems that occur only in the creator's names or in artifacts, as text for `::tsvector`. Only these stems have a
   * position. It distinguishes them without a prefix, which would be a second word in the index: the query `'stem':A`
   * finds a word without a position, but not one with position 1 (`listing-words.test.ts`).
   */
  weak: string;
}

/** Returns the search words of a listing. Words of artifacts are only stems, because each word makes imports slower. */
export function listingWords(texts: ListingTexts): IndexedWords {
  const repository = texts.repository.slice(texts.repository.indexOf('/') + 1);
  const names = [...new Set([texts.name, repository])];
  const name = names.flatMap(nameWords);
  const tags = [texts.category, ...texts.tags].flatMap(tagWords);
  const strong = distinctWords([...name, ...tags, ...indexWords(texts.description)]);
  const strongStems = new Set([...strong].map(stemOf));
  const isWeak = (word: string) => !strongStems.has(stemOf(word));
  const creator = texts.creatorNames.flatMap((each) => (each === null ? [] : tagWords(each))).filter(isWeak);
  const inside = [...distinctWords((texts.artifacts ?? []).flatMap(indexWords))].slice(0, MAX_ARTIFACT_WORDS);
  const weak = new Set([...creator, ...inside.filter(isWeak)].map(stemOf));
  // Stems come before words, because the stems matter more if there are too many.
  const words = [
    ...marked(
      FIELD_PREFIX.wholeName,
      names.flatMap((each) => withJoined([], each)),
    ),
    FIELD_PREFIX.repository + joinedRepository(texts.repository),
    ...marked(FIELD_PREFIX.name, name.map(stemOf)),
    ...marked(FIELD_PREFIX.tag, tags.map(stemOf)),
    ...strongStems,
    ...[...strong, ...new Set(creator)].filter((word) => !strongStems.has(word)),
  ];
  const others = weak.size === 0 ? words : words.filter((word) => !weak.has(word));
  return {
    words: others.slice(0, WORDS_PER_LISTING - weak.size),
    weak: [...weak].map((word) => `'${word}':1`).join(' '),
  };
}

/** Returns the distinct words, each with a field prefix. */
function marked(mark: string, words: readonly string[]): string[] {
  return [...new Set(words)].map((word) => mark + word);
}

/** Search words of a listing, as `IndexedWords`; `weak` may be absent. */
export type VocabularyWords = Readonly<Pick<IndexedWords, 'words'> & Partial<IndexedWords>>;

/** Returns all words of a listing, without positions. */
function wordsOf({ words, weak = '' }: VocabularyWords): readonly string[] {
  return weak === '' ? words : [...words, ...weak.split(' ').map((word) => word.slice(1, -3))];
}

/** A word of a listing, as the vocabulary stores it. */
export interface VocabularyWord {
  word: string;
  stem: string;
  /** True if a name or tag has a word with this stem. */
  named: boolean;
}

/** Returns the distinct words of listings, without those that begin with a field prefix. */
export function vocabularyOf(listings: readonly VocabularyWords[]): VocabularyWord[] {
  const plain = new Set<string>();
  const named = new Set<string>();
  for (const listing of listings) {
    for (const word of wordsOf(listing)) {
      const first = word[0] ?? '';
      if (first === FIELD_PREFIX.name || first === FIELD_PREFIX.tag) named.add(word.slice(1));
      else if (!FIELD_PREFIXES.includes(first)) plain.add(word);
    }
  }
  return [...plain].map((word) => {
    const stem = stemOf(word);
    return { word, stem, named: named.has(stem) || named.has(word) };
  });
}

/** Returns the words of a tag or a creator's name, and all of them joined. */
function tagWords(tag: string): string[] {
  return withJoined(indexWords(tag), tag);
}

/** Joins a text into one word, so that `Browser-Use`, `browser use` and `browseruse` are equal. */
export function joinWords(text: string): string {
  return searchWords(text).join('').slice(0, 100);
}

/** Joins the words of the owner and the words of the name: `My-Org/Some-Tool` becomes `myorg/sometool`. */
export function joinedRepository(repository: string): string {
  return repository.split('/').map(joinWords).join('/');
}

/** Adds all words of the text, joined, to `words`, unless the text has none. */
function withJoined(words: string[], text: string): string[] {
  const joined = joinWords(text);
  return joined === '' ? words : [...words, joined];
}

/** Returns the words of a name, split at spaces and at capitals; also each adjacent pair joined, and all joined. */
function nameWords(name: string): string[] {
  const words = searchWords(name);
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word}`);
  return withJoined([...indexWords(name), ...searchWords(withSpaces(name)), ...pairs], name);
}

/** Splits camel case: `LlamaIndexTS` becomes `Llama Index TS`. */
function withSpaces(name: string): string {
  return name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
}
