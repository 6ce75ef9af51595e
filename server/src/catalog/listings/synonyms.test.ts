import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseSynonyms, readSynonyms, synonymKey } from './synonyms.ts';

const OWN = fileURLToPath(new URL('../../../synonyms.json', import.meta.url));

describe('synonyms', () => {
  it('replace each other within a group, in both directions, also those of several words', () => {
    const synonyms = parseSynonyms('[["DB", "database", "data base"], ["db", "dumbbell"]]', 'a test');
    const of = (...words: string[]) => synonyms.get(synonymKey(words));

    expect(of('db')).toEqual([['database'], ['data', 'base'], ['dumbbell']]);
    expect(of('database')).toEqual([['db'], ['data', 'base']]);
    expect(of('data', 'base')).toEqual([['db'], ['database']]);
    expect(of('data')).toBeUndefined();
  });

  it('apply to all forms of a word, and have at most four words', () => {
    const synonyms = parseSynonyms(
      '[["llm", "large language models"], ["fifo", "red green blue black white"]]',
      'x',
    );

    expect(synonyms.get(synonymKey(['large', 'language', 'model']))).toEqual([['llm']]);
    expect(synonyms.get(synonymKey(['llms']))).toEqual([['large', 'language', 'models']]);
    expect(synonyms.get('fifo')).toEqual([]);
  });

  it('are read from a file with the usual abbreviations', () => {
    const synonyms = readSynonyms(OWN);

    for (const [word, other] of Object.entries({
      k8s: 'kubernetes',
      db: 'database',
      js: 'javascript',
      ts: 'typescript',
    }))
      expect(synonyms.get(word)).toContainEqual([other]);
  });

  it.each([
    ['{', /a test is not valid JSON/],
    ['{}', /a test is not a valid list of synonyms: \/ must be array/],
    ['[["alone"], ["a", "!!!"]]', /\/0 must NOT have fewer than 2 items; \/1\/1 must match pattern/],
  ])('are refused with every problem and its position: %s', (text, problem) => {
    expect(() => parseSynonyms(text, 'a test')).toThrow(problem);
  });

  it('report the setting if its file does not exist', () => {
    expect(() => readSynonyms('/no/such/file.json')).toThrow(
      /^SYNONYMS_FILE cannot be read: ENOENT.*\. Set it to an existing file, or unset it to use/,
    );
  });
});
