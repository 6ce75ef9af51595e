import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctWords, indexWords, queryWords, searchWords } from './search-words.ts';

describe('searchWords', () => {
  it('splits at everything except letters, marks and digits, and ignores case', () => {
    expect(searchWords("Obsidian-MCP_server: it's v2.0!")).toEqual([
      'obsidian',
      'mcp',
      'server',
      'it',
      's',
      'v2',
      '0',
    ]);
  });

  it('replaces compatibility forms by their plain spelling', () => {
    expect(searchWords('ＭＣＰ ﬁle')).toEqual(['mcp', 'file']);
  });

  it('makes one word per character in scripts without spaces', () => {
    expect(searchWords('用于GitHub的服务器')).toEqual(['用', '于', 'github', '的', '服', '务', '器']);
    expect(searchWords('ผู้ช่วย')).toEqual(['ผู้', 'ช่', 'ว', 'ย']);
    expect(searchWords('MCP서버')).toEqual(['mcp', '서', '버']);
    expect(searchWords('サーバー')).toEqual(['サ', 'ー', 'バ', 'ー']);
  });

  it('keeps marks with their letters, so that composed and decomposed spellings are equal', () => {
    expect(searchWords('cafe\u0301')).toEqual(searchWords('café'));
    expect(searchWords('हिन्दी')).toEqual(['हिन्दी']);
  });

  it('cuts words at 100 characters without splitting a surrogate pair', () => {
    expect(searchWords('a'.repeat(300))).toEqual(['a'.repeat(100)]);
    expect(searchWords(`${'a'.repeat(99)}𝒳𝒴`.normalize('NFC'))[0]).toHaveLength(100);
    const [word = ''] = searchWords(`${'b'.repeat(99)}${'𐐨'.repeat(9)}`);
    expect(word.isWellFormed()).toBe(true);
  });

  it('never yields an empty word or a character that a query reads as an operator', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of searchWords(text)) expect(word).toMatch(/^[\p{L}\p{M}\p{N}]{1,100}$/u);
      }),
    );
  });
});

describe('words of ASCII texts, which are split by a faster pattern,', () => {
  it('equal those of the same text next to non-ASCII text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom('a', 'Z', '7', '-', ' ', '\n'),
            fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
          ),
          maxLength: 250,
        }),
        (text) => {
          for (const cut of [searchWords, queryWords, indexWords])
            expect(cut(text)).toEqual(cut(`${text} é`).slice(0, -1));
        },
      ),
    );
  });
});

describe('words of scripts without spaces', () => {
  it('are searched for as bigrams, or alone if they have no neighbour', () => {
    expect(queryWords('数据库 mcp 库')).toEqual(['数据', '据库', 'mcp', '库']);
    expect(queryWords('用于GitHub的服务器')).toEqual(['用于', 'github', '的服', '服务', '务器']);
    expect(queryWords('Memory server')).toEqual(['memory', 'server']);
    expect(queryWords('サーバー')).toEqual(['サー', 'ーバ', 'バー']);
  });

  it('are stored as single characters and bigrams, so that any part of a text is found', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('数', '据', '库', 'ช่', '서', 'a', ' ') }),
        fc.nat(),
        fc.nat(),
        (text, one, other) => {
          const stored = indexWords(text);
          const part = Array.from(text.matchAll(/.\p{M}*/gu), ([unit]) => unit)
            .slice(Math.min(one, other), Math.max(one, other))
            .join('');
          for (const word of queryWords(part)) expect(stored.some((each) => each.includes(word))).toBe(true);
        },
      ),
    );
    expect(indexWords('数据库')).toEqual(['数', '数据', '据', '据库', '库']);
  });
});

describe('distinctWords', () => {
  it('returns each word once, in order of appearance', () => {
    expect([...distinctWords(['memory', 'server', 'of', 'memory'])]).toEqual(['memory', 'server', 'of']);
  });

  it('stays within PostgreSQL’s limit, however many words there are', () => {
    expect(distinctWords(Array.from({ length: 100_000 }, (_, index) => `word${index}`)).size).toBe(2000);
  });
});
