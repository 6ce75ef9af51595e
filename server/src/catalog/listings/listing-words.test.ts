import { describe, expect, it } from 'vitest';
import { listingWords, vocabularyOf } from './listing-words.ts';
import { stemOf } from './search-words.ts';

const LISTING = {
  name: 'Llama IndexTS',
  repository: 'run-llama/LlamaIndexTS',
  description: 'Data framework',
  tags: ['vector-store'],
  category: 'data',
  creatorNames: ['run-llama', null],
};

describe('the words of a listing', () => {
  it('contain the whole name, and owner and repository, as one word each', () => {
    expect(listingWords(LISTING)).toEqual(
      expect.arrayContaining(['^llamaindexts', '~runllama/llamaindexts']),
    );
  });

  it('contain the words of the name, as written, split at capitals, and joined, each with its stem', () => {
    const words = ['llama', 'indexts', 'index', 'ts', 'llamaindexts'];

    expect(listingWords(LISTING)).toEqual(
      expect.arrayContaining([...words, ...words.flatMap((word) => [stemOf(word), `=${stemOf(word)}`])]),
    );
  });

  it('contain tags and category with a field prefix, and everything without one', () => {
    expect(listingWords(LISTING)).toEqual(
      expect.arrayContaining([
        '+vector',
        '+store',
        `+${stemOf('vectorstore')}`,
        '+data',
        'vector',
        'data',
        'framework',
        'run',
      ]),
    );
  });

  it('mark those that only the creator or artifacts have', () => {
    const words = listingWords({ ...LISTING, artifacts: ['spreadsheets framework', 'llama tamer'] });

    expect(words).toEqual(
      expect.arrayContaining(['run', '%run', '%runllama', 'spreadsheet', '%spreadsheet', '%tamer']),
    );
    for (const strong of ['%llama', '%framework', '%data']) expect(words).not.toContain(strong);
    expect(words).not.toContain('spreadsheets');
  });

  it('contain at most 400 words of artifacts', () => {
    const artifacts = Array.from({ length: 500 }, (_, at) => `artifact${at}`);
    const words = listingWords({ ...LISTING, artifacts });

    expect(words).toContain('%artifact399');
    expect(words).not.toContain('%artifact400');
  });

  it('contain each word once, and none for a text without words', () => {
    const words = listingWords({ ...LISTING, name: '!!!', tags: ['-'] });

    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => word.length < 2)).toEqual([]);
  });
});

describe('the vocabulary of listings', () => {
  it('has each word once with its stem, and knows which of them a name or a tag has', () => {
    const words = [...listingWords(LISTING), ...listingWords({ ...LISTING, name: 'Framework' })];
    const vocabulary = vocabularyOf(words);

    expect(new Set(vocabulary.map(({ word }) => word)).size).toBe(vocabulary.length);
    expect(vocabulary).toContainEqual({ word: 'framework', stem: 'framework', named: true });
    expect(vocabulary).toContainEqual({ word: 'run', stem: 'run', named: false });
    expect(vocabulary.filter(({ word }) => /^[=^~+%#]/.test(word))).toEqual([]);
  });
});
