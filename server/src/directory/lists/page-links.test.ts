import { describe, expect, it } from 'vitest';
import type { ListInput } from './list-agents.ts';
import { pageLinks } from './page-links.ts';

const input: ListInput = {
  q: null,
  verified: null,
  tier: null,
  category: null,
  sort: 'score_desc',
  limit: 20,
  offset: 0,
  cursor: null,
};

describe('pageLinks', () => {
  it('is null for a list of one page', () => {
    expect(pageLinks(input, null)).toBeNull();
  });

  it('links to the next page by cursor, with its filters', () => {
    const links = pageLinks({ ...input, q: 'a&b "c"', verified: false, sort: 'name' }, 'Abc');

    expect(links).toBe(
      '</api/agents?q=a%26b+%22c%22&verified=false&sort=name&limit=20&cursor=Abc>; rel="next"',
    );
  });

  it('links to the previous page by offset, with exactly the entries before this page', () => {
    expect(pageLinks({ ...input, offset: 30 }, null)).toBe('</api/agents?limit=20&offset=10>; rel="prev"');
    expect(pageLinks({ ...input, offset: 5 }, null)).toBe('</api/agents?limit=5&offset=0>; rel="prev"');
  });

  it('links both ways from the middle', () => {
    expect(pageLinks({ ...input, offset: 20 }, 'Abc')).toMatch(/rel="prev", <.*cursor=Abc>; rel="next"$/);
  });

  it('has no previous link for a cursor, because its offset is ignored', () => {
    expect(pageLinks({ ...input, offset: 20, cursor: 'Abc' }, null)).toBeNull();
  });
});
