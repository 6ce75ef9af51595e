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

/** Returns a key that is equal for the same words in any order and form. */
export function stemKey(words: readonly string[]): string {
  return words.map(stemOf).sort().join(' ');
}

/** Returns the key of adjacent words in `Synonyms`: their `stemKey` without accents, which many people do not type. */
export function synonymKey(words: readonly string[]): string {
  return stemKey(words.map(withoutAccents));
}

const ASCII = /^[a-z0-9]+$/;

function withoutAccents(word: string): string {
  if (ASCII.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/**
 * Validates an operator's synonyms: an array of groups such as `["k8s", "kubernetes"]`, and of objects such as
 * `{ "term": "email", "finds": ["gmail"] }`. A search for any member of a group finds all others. A search for `term`, or
 * for one of several terms, also finds the members of `finds`, but not the other way round. Stop words have no effect.
 * Throws an Error that lists every problem. The words are split at the first search, because this takes twice as long as
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
  const add = (key: string, others: readonly Member[]) =>
    synonyms.set(key, [...(synonyms.get(key) ?? []), ...others.map(({ words }) => words)]);
  for (const entry of entries) {
    const found = membersOf(isGroup(entry) ? entry : entry.finds);
    const terms = isGroup(entry) ? found : membersOf([entry.term].flat());
    for (const { key } of terms)
      add(
        key,
        found.filter((other) => other.key !== key || other.hasAccents),
      );
  }
  return synonyms;
}

interface Member {
  words: readonly string[];
  key: string;
  /** True if the word also has to be found if it was typed without its accents. */
  hasAccents: boolean;
}

function isGroup(entry: Group | Narrower): entry is Group {
  return Array.isArray(entry);
}

/** Splits texts into words. Leaves out texts with too many words, or with stop words only. */
function membersOf(texts: readonly string[]): Member[] {
  return texts
    .map((text) => queryWords(text).filter((word) => !isStopWord(word)))
    .filter(({ length }) => length > 0 && length <= MAX_SYNONYM_WORDS)
    .map((words) => {
      const key = synonymKey(words);
      return { words, key, hasAccents: !words.every((word) => ASCII.test(word)) && key !== stemKey(words) };
    });
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
