import { describe, expect, it } from 'vitest';
import { readSearch } from '../../registry/listings/read-search.ts';
import { conditionsOf, pageSearch } from './list-query.ts';

describe('what the index is asked for', () => {
  it('is all of a search of whose conditions none is known as common', () => {
    const search = pageSearch({ q: 'chrome mcp' });

    expect(search?.by).toBe("'chrom':* & 'mcp':* | 'chromemcp':*");
    expect(search?.by).toBe(search?.all);
  });

  it('is what few listings meet, beside what marks ask for', () => {
    const { by, all } = pageSearch({ q: 'chrome mcp', license: 'MIT' }, ["'mcp':*"]) ?? {};

    expect(by).toBe("('chrom':* | 'chromemcp':*) & '#l:mit'");
    expect(all).toBe("('chrom':* & 'mcp':* | 'chromemcp':*) & '#l:mit'");
  });

  it('is everything of what has common conditions alone', () => {
    expect(pageSearch({ q: 'agent mcp' }, ["'agent':*", "'mcp':*"])?.by).toBe(
      "'agent':* & 'mcp':* | 'agentmcp':*",
    );
    expect(pageSearch({ q: null, tag: 'mcp' }, ["'#t:mcp'"])?.by).toBe("'#t:mcp'");
  });

  it('is known by the conditions of every word, each once, and of an address', () => {
    expect(conditionsOf('a/b')).toEqual(["'a':*", "'b':*", "'ab':*", "'~a/b'"]);
    expect(conditionsOf(readSearch('mcp'))).toEqual(["'mcp':*"]);
    expect(conditionsOf(null)).toEqual([]);
  });
});
