import { describe, expect, it } from 'vitest';
import { isListQuery, listHref, parseListQuery } from './page-links.tsx';

const FIRST = {
  q: null,
  type: null,
  verified: null,
  tier: null,
  category: null,
  kind: null,
  license: null,
  tag: null,
  verdict: null,
  sort: 'score_desc',
  limit: 20,
  offset: 0,
  cursor: null,
};

const FULL = '/agents?category=data&tag=web+search&kind=mcp-server&license=GPL-2.0%2B&sort=stars';

describe('parseListQuery', () => {
  it('sorts by trust by default', () => {
    expect(parseListQuery({})).toEqual(FIRST);
  });

  it('reads filters, order and page', () => {
    const query = {
      q: ' maps ',
      category: 'data',
      tier: 'high',
      sort: 'name',
      verified: 'true',
      verdict: 'warning',
      page: '3',
    };

    const expected = {
      q: 'maps',
      category: 'data',
      tier: 'high',
      sort: 'name',
      verified: true,
      verdict: 'warning',
      offset: 40,
    };
    expect(parseListQuery(query)).toEqual({ ...FIRST, ...expected });
  });

  it.each([
    { q: '', category: '', tier: '', sort: '' },
    { q: '   ', category: 'x', tier: 'HIGH', sort: 'trust', verified: 'yes', page: '0' },
    { q: ['a', 'b'], page: '-1' },
    { page: '1.5' },
    { page: '1e99' },
    { page: 'NaN', other: '1' },
    { category: '__proto__', tier: 'constructor', verdict: 'Warning' },
    { kind: ' ', license: 'a\u0000b', tag: ['web'] },
  ])('ignores invalid values: %j', (query) => {
    expect(parseListQuery(query)).toEqual(FIRST);
  });

  it('sorts by relevance for searches only', () => {
    expect(parseListQuery({ q: 'maps' }).sort).toBe('relevance');
    expect(parseListQuery({ q: 'maps', sort: '' }).sort).toBe('relevance');
    expect(parseListQuery({ q: 'maps', sort: 'score_desc' }).sort).toBe('score_desc');
    expect(parseListQuery({ sort: 'relevance' }).sort).toBe('score_desc');
  });

  it('truncates a search to 200 characters, the maximum of the API', () => {
    expect(parseListQuery({ q: 'x'.repeat(500) }).q).toHaveLength(200);
  });

  it.each([
    '/agents',
    '/agents?q=a%26b+c&type=skill&tier=low&verified=true&sort=name&page=4',
    '/agents?page=2',
    FULL,
  ])('is parsed from %s, which listHref builds again', (address) => {
    const query = Object.fromEntries(new URL(address, 'https://trust.example').searchParams);
    const list = parseListQuery(query);

    expect(listHref(list, list.offset)).toBe(address);
  });

  it.each([
    [{ q: 'x' }, true],
    [{ page: '2' }, true],
    [{ verified: 'no', other: '1' }, true],
    [{}, false],
    [{ utm_source: 'x' }, false],
  ])('decides whether %j is a query of the list', (query, expected) => {
    expect(isListQuery(query)).toBe(expected);
  });
});
