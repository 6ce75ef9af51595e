import { describe, expect, it } from 'vitest';
import { creatorWith } from '../../../testing/pages/pages-with.ts';
import { createNaming } from '../../subjects/naming.ts';
import { listDocument } from './list-document.tsx';
import { readPageQuery } from './page-query.ts';

const NO_COUNTS = { facets: [], tags: [], untagged: 0 };

const naming = createNaming('https://trust.example');

describe('the document of the list', () => {
  it('leads to the pages before and after with the same filters', () => {
    const list = readPageQuery({ q: 'a&b', page: '2' });

    const document = listDocument(list, creatorWith('x').listings, 99, NO_COUNTS, naming);

    expect(document).toContain('rel="prev" href="/agents?q=a%26b">');
    expect(document).toContain('rel="next" href="/agents?q=a%26b&amp;page=3">');
  });

  it('leads back from beyond the last page, and numbers no page that is not there', () => {
    const document = listDocument(readPageQuery({ page: '9' }), [], 54, NO_COUNTS, naming);

    expect(document).toContain('<a href="/agents">Go to its first page</a>');
    expect(document).not.toMatch(/rel="(?:prev|next)"|Page 9/);
  });

  it('says what to do where nothing matches', () => {
    expect(listDocument(readPageQuery({ q: 'zzz' }), [], 0, NO_COUNTS, naming)).toContain(
      'Check the spelling',
    );
  });
});
