import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { searchWords } from './search-words.ts';

/** Synonyms of single words. A synonym may consist of several words. */
export type Synonyms = ReadonlyMap<string, readonly (readonly string[])[]>;

/** No synonyms: every word means only itself. */
export const NO_SYNONYMS: Synonyms = new Map();

const MAX_GROUPS = 5_000;
const MAX_MEMBERS = 10;
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

/**
 * Validates an operator's synonyms, an array of groups such as `["k8s", "kubernetes"]`. Throws an Error that lists
 * every problem.
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
  const synonyms = new Map<string, (readonly string[])[]>();
  for (const group of content) {
    const members = group.map(searchWords);
    for (const [first, ...rest] of members) {
      // Multi-word synonyms work in one direction only: a search for another member finds them, but a search for them
      // finds no other member.
      if (first === undefined || rest.length > 0) continue;
      const others = members.filter(([word, ...more]) => word !== first || more.length > 0);
      synonyms.set(first, [...(synonyms.get(first) ?? []), ...others]);
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
