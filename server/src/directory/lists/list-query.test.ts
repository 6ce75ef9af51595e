import { describe, expect, it } from 'vitest';
import { readSearch } from '../../registry/listings/read-search.ts';
import { parseSynonyms } from '../../registry/listings/synonyms.ts';
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
    const asked = (q: string) => conditionsOf(q).map(({ condition }) => condition);
    expect(asked('a/b')).toEqual(["'a':*", "'b':*", "'ab':*", "'~a/b'"]);
    expect(conditionsOf(readSearch('mcp'))).toEqual([{ condition: "'mcp':*", enough: "'mcp':*" }]);
    expect(conditionsOf(null)).toEqual([]);
  });

  it('is known as common by each single word that is enough for a condition', () => {
    const synonyms = parseSynonyms('[["ai", "artificial intelligence", "ki"]]', 'words');
    const condition = "('ai':* | 'artificial':* & 'intelligenc':* | 'ki':*)";

    expect(conditionsOf(readSearch('ai', synonyms))).toEqual([
      { condition, enough: condition },
      { condition, enough: "'ai':*" },
      { condition, enough: "'ki':*" },
    ]);
  });
});
