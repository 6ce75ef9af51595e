import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { queryWords } from './search-words.ts';
import { isStopWord, STOP_WORDS } from './stop-words.ts';

/** Names of the sample's listings. */
const NAMES = readFileSync(new URL('../../../sample/listings.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { name: string }).name);

const looked = (text: string) => queryWords(text).filter((word) => !isStopWord(word));

describe('stop words', () => {
  it.each([
    ['please help me find the best tools for my PDF files', ['pdf', 'files']],
    ['what is the weather forecast', ['weather', 'forecast']],
    ['ich suche ein gutes Werkzeug für die Datenbank', ['datenbank']],
    ['necesito la mejor herramienta para mi calendario', ['calendario']],
    ['je cherche un outil pour les factures', ['factures']],
    ['preciso de uma ferramenta para o banco', ['banco']],
    ['cerco uno strumento per il calendario', ['uno', 'calendario']],
    ['найти инструмент для перевода', ['перевода']],
    ['请帮我找到最好的数据库', ['我找', '到最', '数据', '据库']],
    ['日本の法令を検索', ['日本', '法令', '検索']],
  ])('carry nothing: %s', (text, words) => {
    expect(looked(text)).toEqual(words);
  });

  it.each([
    'r',
    'c',
    'x',
    'go',
    'no',
    'os',
    'ci',
    'ai',
    'us',
    'ha',
    'time',
    'data',
    'web',
    'search',
    'todo',
    'mcp',
    'agent',
  ])('leave words that name something: %s', (word) => {
    expect(isStopWord(word)).toBe(false);
  });

  it('are words as a search is cut into', () => {
    expect([...STOP_WORDS].filter((word) => queryWords(word).join(' ') !== word)).toEqual([]);
  });

  it('leave something of every name', () => {
    expect(NAMES.filter((name) => looked(name).length === 0)).toEqual([]);
  });
});
