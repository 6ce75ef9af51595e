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

const MAX_GROUPS = 5_000;
const MAX_MEMBERS = 20;
const SCHEMA = {
  type: 'array',
  maxItems: MAX_GROUPS,
  items: {
    type: 'array',
    minItems: 2,
    maxItems: MAX_MEMBERS,
    uniqueItems: true,
    items: { type: 'string', minLength: 1, maxLength: 50, pattern: '[\\p{L}\\p{N}]' },
  },
};

/** Returns the key of adjacent words in `Synonyms`. Forms of a word have the same key. */
export function synonymKey(words: readonly string[]): string {
  return words.map(stemOf).join(' ');
}

/**
 * Validates an operator's synonyms, an array of groups such as `["k8s", "kubernetes"]`. A search for any member of a
 * group finds all others. Stop words in a member have no effect. Throws an Error that lists every problem. The words are
 * split at the first search, because stemming all of them takes 3 % of the CPU time of a start.
 */
export function parseSynonyms(text: string, source: string): Synonyms {
  const content = parseJson(text, source);
  const ajv = new Ajv2020({ allErrors: true, validateSchema: false });
  if (!ajv.validate<string[][]>(SCHEMA, content)) {
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

function indexByKey(groups: readonly (readonly string[])[]): Synonyms {
  const synonyms = new Map<string, (readonly string[])[]>();
  for (const group of groups) {
    const members = group
      .map((member) => queryWords(member).filter((word) => !isStopWord(word)))
      .filter(({ length }) => length > 0 && length <= MAX_SYNONYM_WORDS)
      .map((words) => ({ words, key: synonymKey(words) }));
    for (const { key } of members) {
      const others = members.filter((other) => other.key !== key).map(({ words }) => words);
      synonyms.set(key, [...(synonyms.get(key) ?? []), ...others]);
    }
  }
  return synonyms;
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
