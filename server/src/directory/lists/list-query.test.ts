import { describe, expect, it } from 'vitest';
import { parseSearch } from '../../catalog/listings/parse-search.ts';
import { parseSynonyms } from '../../catalog/listings/synonyms.ts';
import { conditionsOf, pageSearch } from './list-query.ts';

describe('the index query', () => {
  it('is the whole search if no condition is common', () => {
    const search = pageSearch({ q: 'chrome mcp' });

    expect(search?.by).toBe("'chrom':* & 'mcp':* | 'chromemcp':*");
    expect(search?.by).toBe(search?.all);
  });

  it('contains only rare conditions and filter terms', () => {
    const { by, all } = pageSearch({ q: 'chrome mcp', license: 'MIT' }, ["'mcp':*"]) ?? {};

    expect(by).toBe("('chrom':* | 'chromemcp':*) & '#l:mit'");
    expect(all).toBe("('chrom':* & 'mcp':* | 'chromemcp':*) & '#l:mit'");
  });

  it('is the whole search if all conditions are common', () => {
    expect(pageSearch({ q: 'agent mcp' }, ["'agent':*", "'mcp':*"])?.by).toBe(
      "'agent':* & 'mcp':* | 'agentmcp':*",
    );
    expect(pageSearch({ q: null, tag: 'mcp' }, ["'#t:mcp'"])?.by).toBe("'#t:mcp'");
  });

  it('knows the conditions of every word, each once, and of an address', () => {
    const asked = (q: string) => conditionsOf(q).map(({ condition }) => condition);
    expect(asked('a/b')).toEqual(["'a':*", "'b':*", "'ab':*", "'~a/b'"]);
    expect(conditionsOf(parseSearch('mcp'))).toEqual([{ condition: "'mcp':*", enough: "'mcp':*" }]);
    expect(conditionsOf(null)).toEqual([]);
  });

  it('treats a condition as common if a narrower one is common', () => {
    const synonyms = parseSynonyms('[["ai", "artificial intelligence", "ki"]]', 'words');
    const condition = "('ai':* | 'artificial':* & 'intelligenc':* | 'ki':*)";

    expect(conditionsOf(parseSearch('ai', synonyms))).toEqual([
      { condition, enough: condition },
      { condition, enough: "'ai':*" },
      { condition, enough: "'ki':*" },
    ]);
  });
});
