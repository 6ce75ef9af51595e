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
    expect(listingWords(LISTING).words).toEqual(
      expect.arrayContaining(['^llamaindexts', '~runllama/llamaindexts']),
    );
  });

  it('contain the words of the name, as written, split at capitals, and joined, each with its stem', () => {
    const words = ['llama', 'indexts', 'index', 'ts', 'llamaindexts'];

    expect(listingWords(LISTING).words).toEqual(
      expect.arrayContaining([...words, ...words.flatMap((word) => [stemOf(word), `=${stemOf(word)}`])]),
    );
  });

  it('contain tags and category with a field prefix, and everything without one', () => {
    expect(listingWords(LISTING).words).toEqual(
      expect.arrayContaining([
        '+vector',
        '+store',
        `+${stemOf('vectorstore')}`,
        '+data',
        'vector',
        'data',
        'framework',
      ]),
    );
  });

  it('have a position if only the creator or artifacts have them', () => {
    const { words, weak } = listingWords({
      ...LISTING,
      artifacts: ['spreadsheets framework', 'llama tamer'],
    });

    expect(weak.split(' ')).toEqual(["'run':1", "'runllama':1", "'spreadsheet':1", "'tamer':1"]);
    for (const word of ['run', 'spreadsheet', 'spreadsheets', 'tamer']) expect(words).not.toContain(word);
  });

  it('contain at most 400 words of artifacts', () => {
    const artifacts = Array.from({ length: 500 }, (_, at) => `artifact${at}`);
    const { weak } = listingWords({ ...LISTING, artifacts });

    expect(weak).toContain("'artifact399':1");
    expect(weak).not.toContain("'artifact400':1");
  });

  it('are at most 2,000, those of artifacts included', () => {
    const description = Array.from({ length: 3000 }, (_, at) => `paints${at} ants${at}s`).join(' ');
    const { words, weak } = listingWords({ ...LISTING, description, artifacts: ['spreadsheet'] });

    expect(words.length + weak.split(' ').length).toBe(2000);
    expect(weak).toContain("'spreadsheet':1");
  });

  it('contain each word once, and none for a text without words', () => {
    const { words } = listingWords({ ...LISTING, name: '!!!', tags: ['-'] });

    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => word.length < 2)).toEqual([]);
  });
});

describe('the vocabulary of listings', () => {
  it('has each word once with its stem, and knows which of them a name or a tag has', () => {
    const vocabulary = vocabularyOf([listingWords(LISTING), listingWords({ ...LISTING, name: 'Framework' })]);

    expect(new Set(vocabulary.map(({ word }) => word)).size).toBe(vocabulary.length);
    expect(vocabulary).toContainEqual({ word: 'framework', stem: 'framework', named: true });
    expect(vocabulary).toContainEqual({ word: 'run', stem: 'run', named: false });
    expect(vocabulary.filter(({ word }) => /^[=^~+%#]/.test(word))).toEqual([]);
  });
});
