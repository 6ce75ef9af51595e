import { describe, expect, it } from 'vitest';
import { listedPage } from '../../../../testing/pages/listed-page.ts';
import { creatorWith } from '../../../../testing/pages/pages-with.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { SearchTerm } from '../../../directory/search/search-term.ts';
import { type ListedPage, listDocument } from './list.page.tsx';
import { parseListQuery } from './page-links.tsx';

const NO_CHOICES = { any: 0, choices: [] };
const NO_COUNTS = { facets: [], tag: NO_CHOICES, verdict: NO_CHOICES };

const publicUrls = createPublicUrls('https://trust.example');

const [entry] = creatorWith('x').listings;
if (entry === undefined) throw new Error('no entry');
const listed = (fields: Partial<typeof entry.record>) => ({
  ...entry,
  record: { ...entry.record, ...fields },
});

const converter = listed({
  name: 'PDF2MD',
  description: 'Converts PDFs to Markdown.',
  tags: ['ocr', 'mcp'],
  category: 'data',
  stars: 2800,
});
const terms: SearchTerm[] = ['pdf', 'markdown'].map((word) => ({ word, forms: [[word]] }));

function documentOf(query: Record<string, string>, found: Partial<ListedPage>): string {
  const page = { ...listedPage([], 0), ...found };
  return listDocument(parseListQuery(query), page, NO_COUNTS, publicUrls);
}

/** Returns the text, without markup, of each element whose opening tag matches the pattern `begin`. */
function textsOf(document: string, begin: string, tag: string): string[] {
  return document
    .split(begin)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(`</${tag}>`)).replace(/<[^>]*>/g, ''));
}

describe('the document of the list', () => {
  it('links to the previous and next page with the same filters', () => {
    const document = documentOf({ q: 'a&b', page: '2' }, listedPage([entry], 99));

    expect(document).toContain('rel="prev" href="/agents?q=a%26b">');
    expect(document).toContain('rel="next" href="/agents?q=a%26b&amp;page=3">');
  });

  it('links back from beyond the last page, and shows no page numbers there', () => {
    const document = documentOf({ page: '9' }, listedPage([], 54));

    expect(document).toContain('<a href="/agents">Go to its first page</a>');
    expect(document).not.toMatch(/rel="(?:prev|next)"|Page 9/);
  });

  it('explains what to do if nothing matches', () => {
    expect(documentOf({ q: 'zzz' }, {})).toContain('Check the spelling');
  });

  it('shows a total and counts that are lower bounds with a plus sign', () => {
    const list = parseListQuery({ q: 'mcp' });
    const facets = [{ ...NO_FACET, type: 'agent', count: 9000 }];
    const tag = { any: 10_000, choices: [] };
    const pages = [true, false].map((isLowerBound) =>
      listDocument(
        list,
        { ...listedPage([entry], 10_000), totalIsLowerBound: isLowerBound },
        { ...NO_COUNTS, facets, tag, isLowerBound },
        publicUrls,
      ),
    );

    expect(pages[0]).toContain('1–1 of 10,000+ agents and skills');
    expect(pages[0]).toContain('Page 1 of 500+');
    expect(pages[0]).toContain('<bdi>agent</bdi> <span>9,000+</span>');
    expect(pages[1]).not.toMatch(/\d\+/);
  });
});

const NO_FACET = { verified: false, tier: 'low', category: 'data', kind: 'x', license: 'MIT' } as const;

describe('a search', () => {
  it('marks its words, and says why each result was found', () => {
    const other = listed({ name: 'Docling', description: 'Reads files.', tags: ['pdf'], stars: null });
    const official = { ...converter, isOfficial: true };
    const agents = [converter, other, official];
    const document = documentOf({ q: 'pdf markdown' }, { agents, total: 3, terms });

    expect(document).toContain('<bdi><mark>PDF2MD</mark></bdi>');
    expect(document).toContain('Converts <mark>PDFs</mark> to <mark>Markdown</mark>.');
    expect(textsOf(document, '<p class="why small muted">', 'p')).toEqual([
      '2.8k stars · matches all words',
      'pdf in its topics · stars not known',
      '2.8k stars · matches all words · published by its owner in the MCP registry',
    ]);
    expect(document).not.toContain('<span>2.8k stars</span>');
  });

  it('names a word that is beyond the visible part of the description', () => {
    const late = listed({
      ...converter.record,
      name: 'x',
      description: `${'word '.repeat(30)}PDF, markdown`,
    });
    const document = documentOf({ q: 'pdf markdown' }, { agents: [late], total: 1, terms });

    expect(textsOf(document, '<p class="why small muted">', 'p')).toEqual([
      '2.8k stars · PDF, markdown in its description · matches all words',
    ]);
  });

  it('gives no reasons if results are not sorted by relevance', () => {
    const document = documentOf({ q: 'pdf', sort: 'stars' }, { agents: [converter], total: 1, terms });

    expect(document).toContain('<mark>PDFs</mark>');
    expect(document).not.toContain('class="why');
    expect(document).toContain('<span>2.8k stars</span>');
  });

  it('says which words were ignored, and why', () => {
    const ignored = (word: string, reason: 'common' | 'beyond_limit') => ({ word, reason });
    const [one, more] = [
      documentOf({ q: 'pdf to markdown' }, { terms, ignoredWords: [ignored('to', 'common')] }),
      documentOf(
        { q: 'a long text' },
        {
          terms,
          ignoredWords: ['to', 'the']
            .map((word) => ignored(word, 'common'))
            .concat(ignored('x', 'beyond_limit')),
        },
      ),
    ];

    expect(textsOf(one, '<p class="muted small">', 'p')[0]).toBe(
      '“to” was not looked for, being too common. ',
    );
    expect(textsOf(more, '<p class="muted small">', 'p')[0]).toBe(
      '“to”, “the” were not looked for, being too common. Only the 2 rarest words are looked for: without “x”. ',
    );
  });

  it('links to categories and tags that several results share, but not to those chosen or part of the search', () => {
    const both = listed({ ...converter.record, tags: ['mcp', 'pdf', 'ocr', 'markdown-pdf'] });
    const agents = [both, both];
    const document = documentOf({ q: 'pdf markdown' }, { agents, total: 2, terms });

    expect(document).toContain(
      'Also: <a href="/agents?category=data"><bdi>data</bdi></a>, <a href="/agents?tag=markdown-pdf"><bdi>#markdown-pdf</bdi></a>, <a href="/agents?tag=ocr"><bdi>#ocr</bdi></a>',
    );
    const chosen = documentOf(
      { q: 'pdf', category: 'data', tag: 'OCR' },
      { agents: [converter, converter], total: 2, terms },
    );
    expect(chosen).not.toContain('Also:');
    expect(documentOf({ q: 'pdf', page: '2' }, { agents, total: 22, terms })).not.toContain('Also:');
  });

  it('offers the other direction of a conversion, with the same filters', () => {
    const document = documentOf({ q: 'pdf to markdown', type: 'skill' }, { agents: [converter], total: 1 });

    expect(document).toContain(
      'Looking for the other direction? <a href="/agents?q=markdown+to+pdf&amp;type=skill"><bdi>markdown to pdf</bdi></a>',
    );
    expect(documentOf({ q: 'connect to postgres' }, {})).not.toContain('other direction');
  });
});

describe('a search without results', () => {
  it('shows the nearest entries and the words to try', () => {
    const document = documentOf(
      { q: 'markdown to the video' },
      {
        terms,
        nearest: [converter],
        ignoredWords: [
          { word: 'to', reason: 'common' },
          { word: 'the', reason: 'common' },
        ],
      },
    );

    expect(document).toContain('<h2 id="nearest">Nearest entries</h2>');
    expect(document).toContain('Converts <mark>PDFs</mark> to <mark>Markdown</mark>.');
    expect(document).toContain(
      'Try: <a href="/agents?q=markdown"><bdi>markdown</bdi></a>, <a href="/agents?q=video">',
    );
    expect(document).not.toContain('href="/agents?q=the"');
  });

  it.each([
    ['of several nearest entries', [converter, converter], 'words', true],
    ['not of a single one', [converter], 'words', false],
    ['not of entries that are only popular', [converter, converter], 'popularity', false],
  ] as const)('offers the lists %s', (_, nearest, nearestBy, isOffered) => {
    const document = documentOf({ q: 'video' }, { terms, nearest: [...nearest], nearestBy });

    expect(document.includes('These lists may have it')).toBe(isOffered);
  });

  it('links to the category that a word names', () => {
    expect(documentOf({ q: 'coding zzz' }, { terms: [{ word: 'coding', forms: [] }] })).toContain(
      'These lists may have it: <a href="/agents?category=coding">',
    );
  });

  it('asks for a more specific word if all are too common', () => {
    expect(
      documentOf(
        { q: 'the to' },
        { ignoredWords: ['the', 'to'].map((word) => ({ word, reason: 'common' as const })) },
      ),
    ).toContain('too common to look for. Add a word');
  });
});
