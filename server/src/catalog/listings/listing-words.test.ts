import { describe, expect, it } from 'vitest';
import { listingWords } from './listing-words.ts';

const LISTING = {
  name: 'Llama IndexTS',
  repository: 'run-llama/LlamaIndexTS',
  description: 'Data framework',
  tags: ['vector-store'],
  creatorNames: ['run-llama', null],
};

describe('the words of a listing', () => {
  it('contain the whole name, and owner and repository, as one word each', () => {
    expect(listingWords(LISTING)).toEqual(
      expect.arrayContaining(['^llamaindexts', '~runllama/llamaindexts']),
    );
  });

  it('contain the words of the name, as written, split at capitals, and joined', () => {
    const words = ['llama', 'indexts', 'index', 'ts', 'llamaindexts'];

    expect(listingWords(LISTING)).toEqual(
      expect.arrayContaining([...words, ...words.map((word) => `=${word}`)]),
    );
  });

  it('contain tags and creator with a field prefix, and everything without one', () => {
    expect(listingWords(LISTING)).toEqual(
      expect.arrayContaining([
        '+vector',
        '+store',
        '+vectorstore',
        '@run',
        '@llama',
        '@runllama',
        'vector',
        'run',
        'data',
      ]),
    );
  });

  it('contain each word once, and none for a text without words', () => {
    const words = listingWords({ ...LISTING, name: '!!!', tags: ['-'] });

    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => word.length < 2)).toEqual([]);
  });
});
