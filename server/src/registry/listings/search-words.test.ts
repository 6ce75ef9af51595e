import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listingWords, searchQuery, searchWords } from './search-words.ts';

describe('searchWords', () => {
  it('cuts at everything that is no letter, mark or digit and ignores case', () => {
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

  it('finds compatibility forms by their plain spelling', () => {
    expect(searchWords('ＭＣＰ ﬁle')).toEqual(['mcp', 'file']);
  });

  it('makes one word of each character in scripts written without spaces', () => {
    expect(searchWords('用于GitHub的服务器')).toEqual(['用', '于', 'github', '的', '服', '务', '器']);
    expect(searchWords('ผู้ช่วย')).toEqual(['ผู้', 'ช่', 'ว', 'ย']);
  });

  it('keeps marks with their letters, so that combined and single spellings are one word', () => {
    expect(searchWords('cafe\u0301')).toEqual(searchWords('café'));
    expect(searchWords('हिन्दी')).toEqual(['हिन्दी']);
  });

  it('cuts words at 100 characters without leaving half a character', () => {
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

describe('searchQuery', () => {
  it('asks for every word as a prefix', () => {
    expect(searchQuery("git:* & !hub | 'x")).toBe("'git':* & 'hub':* & 'x':*");
  });

  it('matches nothing where the text has no word', () => {
    expect(searchQuery('  :*&|!() ')).toBeNull();
  });
});

describe('listingWords', () => {
  it('holds each word once, over all texts', () => {
    expect(listingWords(['Memory server', null, 'server of memory', 'acme'])).toEqual([
      'memory',
      'server',
      'of',
      'acme',
    ]);
  });

  it('stays within what PostgreSQL stores, however long the text', () => {
    const text = Array.from({ length: 100_000 }, (_, index) => `word${index}`).join(' ');
    expect(listingWords([text])).toHaveLength(2000);
  });
});
