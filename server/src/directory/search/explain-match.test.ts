import { describe, expect, it } from 'vitest';
import { queryWords } from '../../catalog/listings/search-words.ts';
import { explainMatch, type MatchedTexts } from './explain-match.ts';
import type { TextRange } from './locate-terms.ts';
import type { SearchTerm } from './search-term.ts';

const markitdown: MatchedTexts = {
  name: 'MarkItDown',
  tags: ['pdf', 'office documents'],
  category: 'productivity',
  description: 'Converts files to Markdown, also PDFs. Markdown is kept.',
  creatorNames: ['microsoft', null],
};

function term(word: string, ...forms: string[]): SearchTerm {
  return { word, forms: forms.map((form) => form.split(' ')) };
}

function marked(text: string, ranges: readonly TextRange[]): string[] {
  return ranges.map(({ from, to }) => text.slice(from, to));
}

function inDescription(description: string, ...terms: SearchTerm[]): string[] {
  const found = explainMatch({ name: '', tags: [], category: 'other', description }, terms);
  return marked(description, found.descriptionMarks);
}

describe('an explanation', () => {
  it('says where a listing has each term, as it writes it', () => {
    const { terms, matchesAll } = explainMatch(markitdown, [
      term('pdf'),
      term('markdown', 'md'),
      term('microsoft'),
      term('productivity'),
    ]);

    const places = terms.map(({ word, found }) => [
      word,
      found.map(({ place, text }) => `${place}: ${text}`),
    ]);
    expect(places).toEqual([
      ['pdf', ['topics: pdf', 'description: PDFs']],
      ['markdown', ['description: Markdown']],
      ['microsoft', ['creator: microsoft']],
      ['productivity', ['topics: productivity']],
    ]);
    expect(matchesAll).toBe(true);
  });

  it('marks each occurrence in the description, and nothing for a term that is elsewhere', () => {
    const { descriptionMarks, nameMarks } = explainMatch(markitdown, [term('markdown'), term('office')]);

    expect(marked(markitdown.description, descriptionMarks)).toEqual(['Markdown', 'Markdown']);
    expect(nameMarks).toEqual([]);
  });

  it('does not say that all words match if one is nowhere, or if there are none', () => {
    expect(explainMatch(markitdown, [term('pdf'), term('video')])).toMatchObject({
      matchesAll: false,
      terms: [{ word: 'pdf' }, { word: 'video', found: [] }],
    });
    expect(explainMatch(markitdown, []).matchesAll).toBe(false);
  });

  it('looks inside the repository where that is known', () => {
    const inside = ['read-video'];

    expect(explainMatch({ ...markitdown, inside }, [term('video')]).terms[0]?.found).toEqual([
      { place: 'inside', text: 'video', at: 5 },
    ]);
  });

  it('finds parts of a name that begin with a capital', () => {
    const name = 'LlamaIndexTS for PDFs';
    const found = explainMatch({ ...markitdown, name }, [term('index'), term('ts'), term('pdf')]);

    expect(marked(name, found.nameMarks)).toEqual(['IndexTS', 'PDFs']);
  });
});

describe('marks', () => {
  it.each([
    ['scrape', ['Scraping', 'scrapers', 'scraped']],
    ['agents', ['Agent']],
    ['pdf', ['pdf2md']],
    ['rag', []],
    ['ai', []],
    ['k8s', ['Kubernetes']],
    ['llm', ['large  language-model']],
  ])('of the forms of %s are whole words: %j', (word, expected) => {
    const text =
      'Scraping by scrapers that scraped. Agent air fragments rage pdf2md Kubernetes large  language-model, model language';
    const forms = word === 'k8s' ? ['kubernetes'] : word === 'llm' ? ['large language model'] : [];

    expect(inDescription(text, term(word, ...forms))).toEqual(expected);
  });

  it.each([
    ['数据库', '一个数据库代理，数据与图书据库', ['数据库']],
    ['数据', '大数据。数 据', ['数据']],
    ['データ', '高速なﾃﾞｰﾀ処理', ['ﾃﾞｰﾀ']],
    ['ブラウザ', 'AIがブラウザを操作', ['ブラウザ']],
  ])('of %s keep neighbours together, in the text as written', (word, text, expected) => {
    expect(inDescription(text, term(word))).toEqual(expected);
    expect(inDescription(text, { word: 'none', forms: [queryWords(word)] })).toEqual(expected);
  });

  it.each([
    ['ＰＤＦ を Markdown に', 'pdf', ['ＰＤＦ']],
    ['𝕏 İstanbul ﬁles', 'files', ['ﬁles']],
    ['Übersetzer für Cafe\u0301s', 'café', ['Cafe\u0301s']],
    ['👩‍💻 code', 'code', ['code']],
    ['\u1112\u1161\u11ab글 앱', '한글', ['\u1112\u1161\u11ab글']],
  ])('are at the right place in %s', (text, word, expected) => {
    expect(inDescription(text, term(word))).toEqual(expected);
  });

  it('of several words without spaces need them one after the other', () => {
    const analysis = { word: 'none', forms: [['数据', '分析']] };

    expect(inDescription('数据分析，分析数据，数据的分析', analysis)).toEqual(['数据分析']);
  });

  it('of overlapping terms are one', () => {
    expect(inDescription('browser automation', term('browser'), term('auto', 'browser automation'))).toEqual([
      'browser automation',
    ]);
  });

  it('are none for forms without letters', () => {
    expect(inDescription('<b>&</b>', term('&'), { word: '', forms: [[], ['']] })).toEqual([]);
  });
});
