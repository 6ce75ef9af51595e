import { describe, expect, it } from 'vitest';
import { creatorWith } from '../../../../testing/pages/pages-with.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { listDocument } from './list.page.tsx';
import { parseListQuery } from './page-links.tsx';

const NO_COUNTS = { facets: [], tag: { any: 0, choices: [] } };

const publicUrls = createPublicUrls('https://trust.example');

describe('the document of the list', () => {
  it('links to the previous and next page with the same filters', () => {
    const list = parseListQuery({ q: 'a&b', page: '2' });

    const document = listDocument(list, creatorWith('x').listings, 99, NO_COUNTS, publicUrls);

    expect(document).toContain('rel="prev" href="/agents?q=a%26b">');
    expect(document).toContain('rel="next" href="/agents?q=a%26b&amp;page=3">');
  });

  it('links back from beyond the last page, and shows no page numbers there', () => {
    const document = listDocument(parseListQuery({ page: '9' }), [], 54, NO_COUNTS, publicUrls);

    expect(document).toContain('<a href="/agents">Go to its first page</a>');
    expect(document).not.toMatch(/rel="(?:prev|next)"|Page 9/);
  });

  it('explains what to do if nothing matches', () => {
    expect(listDocument(parseListQuery({ q: 'zzz' }), [], 0, NO_COUNTS, publicUrls)).toContain(
      'Check the spelling',
    );
  });
});
