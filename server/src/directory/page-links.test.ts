import { describe, expect, it } from 'vitest';
import type { ListInput } from './lists/list-agents.ts';
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
  it('is nothing for a list of one page', () => {
    expect(pageLinks(input, null)).toBeNull();
  });

  it('leads on by cursor, with the filters that the cursor belongs to', () => {
    const links = pageLinks({ ...input, q: 'a&b "c"', verified: false, sort: 'name' }, 'Abc');

    expect(links).toBe(
      '</api/agents?q=a%26b+%22c%22&verified=false&sort=name&limit=20&cursor=Abc>; rel="next"',
    );
  });

  it('leads back by offset, to exactly the entries before this page', () => {
    expect(pageLinks({ ...input, offset: 30 }, null)).toBe('</api/agents?limit=20&offset=10>; rel="prev"');
    expect(pageLinks({ ...input, offset: 5 }, null)).toBe('</api/agents?limit=5&offset=0>; rel="prev"');
  });

  it('leads both ways from the middle', () => {
    expect(pageLinks({ ...input, offset: 20 }, 'Abc')).toMatch(/rel="prev", <.*cursor=Abc>; rel="next"$/);
  });

  it('does not lead back from a cursor, whose offset is not looked at', () => {
    expect(pageLinks({ ...input, offset: 20, cursor: 'Abc' }, null)).toBeNull();
  });
});
