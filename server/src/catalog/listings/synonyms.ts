import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { queryWords, stemOf } from './search-words.ts';
import { isStopWord } from './stop-words.ts';

/**
 * Synonyms by key; each synonym is a list of words. A key (`synonymKey`) has the stems of one or more adjacent words.
 */
export type Synonyms = Pick<ReadonlyMap<string, readonly (readonly string[])[]>, 'get'>;

/** No synonyms: every word means only itself. */
export const NO_SYNONYMS: Synonyms = new Map();

/** Maximum words of a synonym. A word of a script without spaces counts as its bigrams: データベース has five. */
export const MAX_SYNONYM_WORDS = 8;

const MAX_GROUPS = 10_000;
const MAX_MEMBERS = 20;
const MEMBER = { type: 'string', minLength: 1, maxLength: 50, pattern: '[\\p{L}\\p{N}]' };
const MEMBERS = { maxItems: MAX_MEMBERS, uniqueItems: true, items: MEMBER };
const SCHEMA = {
  type: 'array',
  maxItems: MAX_GROUPS,
  items: {
    type: ['array', 'object'],
    // A group.
    ...MEMBERS,
    minItems: 2,
    // A term with what it finds.
    required: ['term', 'finds'],
    additionalProperties: false,
    properties: {
      term: { anyOf: [MEMBER, { type: 'array', ...MEMBERS, minItems: 1 }] },
      finds: { type: 'array', ...MEMBERS, minItems: 1 },
    },
  },
};

/** Texts that mean the same. */
type Group = readonly string[];
/** Texts that a search for a term finds, too, but not the other way round: an email tool is not always Gmail. */
interface Narrower {
  readonly term: string | readonly string[];
  readonly finds: readonly string[];
}

/** Returns the key of adjacent words in `Synonyms`, in any order. Forms of a word have the same key. */
export function synonymKey(words: readonly string[]): string {
  return words.map(stemOf).sort().join(' ');
}

/** Returns the word without its accents. Marks of other scripts than Latin stay. */
function withoutAccents(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/**
 * Returns the key in `Synonyms` of words that were typed without their accents. It does not consist of stems: a French verb
 * without its accent may have the stem of an English word.
 */
function accentlessKey(words: readonly string[]): string {
  return `without accents: ${words.map(withoutAccents).sort().join(' ')}`;
}

/** Returns the synonyms of adjacent words. Words without synonyms may lack their accents. */
export function synonymsOf(synonyms: Synonyms, words: readonly string[]): readonly (readonly string[])[] {
  return synonyms.get(synonymKey(words)) ?? synonyms.get(accentlessKey(words)) ?? [];
}

/**
 * Validates an operator's synonyms: an array of groups such as `["k8s", "kubernetes"]`, and of objects such as
 * `{ "term": "email", "finds": ["gmail"] }`. A search for any member of a group finds all others. A search for `term`, or
 * for one of several terms, also finds the members of `finds`, but not the other way round. Stop words have no effect.
 * Throws an Error that lists every problem. The words are split at the first search, because this takes longer than
 * reading the file, and would delay every start.
 */
export function parseSynonyms(text: string, source: string): Synonyms {
  const content = parseJson(text, source);
  const ajv = new Ajv2020({ allErrors: true, validateSchema: false, allowUnionTypes: true });
  if (!ajv.validate<(Group | Narrower)[]>(SCHEMA, content)) {
    const problems = (ajv.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath || '/'} ${message}`,
    );
    throw new Error(`${source} is not a valid list of synonyms: ${problems.join('; ')}. Correct it there.`);
  }
  let byKey: Synonyms | undefined;
  return {
    get(key) {
      byKey ??= indexByKey(content);
      return byKey.get(key);
    },
  };
}

function indexByKey(entries: readonly (Group | Narrower)[]): Synonyms {
  const synonyms = new Map<string, (readonly string[])[]>();
  const add = (key: string, others: readonly Member[]) => {
    const words = others.map((other) => other.words);
    const known = synonyms.get(key);
    if (known === undefined) synonyms.set(key, words);
    else known.push(...words);
  };
  for (const entry of entries) {
    const found = membersOf(isGroup(entry) ? entry : entry.finds);
    const terms = isGroup(entry) ? found : membersOf([entry.term].flat());
    for (const { key, accentless } of terms) {
      const others = found.filter((other) => other.key !== key);
      add(key, others);
      // What was typed without accents has to be found with them, too.
      if (accentless !== null) add(accentless, isGroup(entry) ? found : others);
    }
  }
  return synonyms;
}

interface Member {
  words: readonly string[];
  key: string;
  /** Key of the words without their accents; null if they have none. */
  accentless: string | null;
}

function isGroup(entry: Group | Narrower): entry is Group {
  return Array.isArray(entry);
}

/** Splits texts into words. Leaves out texts with too many words, or with stop words only. */
function membersOf(texts: readonly string[]): Member[] {
  return texts
    .map((text) => queryWords(text).filter((word) => !isStopWord(word)))
    .filter(({ length }) => length > 0 && length <= MAX_SYNONYM_WORDS)
    .map((words) => ({
      words,
      key: synonymKey(words),
      accentless: words.some((word) => withoutAccents(word) !== word) ? accentlessKey(words) : null,
    }));
}

/** Reads the synonyms from a file that an operator edits. */
export function readSynonyms(path: string): Synonyms {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(
      `SYNONYMS_FILE cannot be read: ${(error as Error).message}. Set it to an existing file, or unset it to use the built-in synonyms.`,
    );
  }
  return parseSynonyms(text, `SYNONYMS_FILE ${path}`);
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${source} is not valid JSON: ${(error as Error).message}. Correct it there.`);
  }
}
