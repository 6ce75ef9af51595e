import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSearch } from './read-search.ts';
import { parseSynonyms } from './synonyms.ts';

const SYNONYMS = parseSynonyms('[["k8s", "kubernetes"], ["llm", "large language model"]]', 'a test');

describe('a search', () => {
  it('asks for every word as a prefix, and for neighbours as one', () => {
    expect(readSearch("git:* & !hub | 'x")?.all).toBe(
      "'git':* & 'hub':* & 'x':* | 'github':* & 'x':* | 'git':* & 'hubx':* | 'githubx':*",
    );
  });

  it('matches nothing where the text has no word', () => {
    expect(readSearch('  :*&|!() ')).toBeNull();
  });

  it('asks for the beginning that the forms of a word share', () => {
    expect(readSearch('scrape')?.all).toBe("'scrap':*");
    expect(readSearch('agents')?.all).toBe("'agent':*");
    expect(readSearch('memories')?.all).toBe("'memor':*");
  });

  it('asks for synonyms, of one word or of several', () => {
    expect(readSearch('k8s', SYNONYMS)?.all).toBe("('k8s':* | 'kubernet':*)");
    expect(readSearch('llm', SYNONYMS)?.all).toBe("('llm':* | 'large':* & 'languag':* & 'model':*)");
    expect(readSearch('kubernetes', SYNONYMS)?.all).toBe("('kubernet':* | 'k8s':*)");
  });

  it('goes from the whole name by its beginning, its words, tags and creator to all words', () => {
    expect(readSearch('nginx ui')?.classes).toEqual([
      "'^nginxui'",
      "'^nginxui':*",
      "'=nginx':* & '=ui':* | '=nginxui':*",
      "('=nginx':* | '+nginx':*) & ('=ui':* | '+ui':*) | ('=nginxui':* | '+nginxui':*)",
      "('=nginx':* | '+nginx':* | '@nginx':*) & ('=ui':* | '+ui':* | '@ui':*) | ('=nginxui':* | '+nginxui':* | '@nginxui':*)",
      "'nginx':* & 'ui':* | 'nginxui':*",
    ]);
  });

  it('knows owner/name, however both are written', () => {
    expect(readSearch('0xJacky/nginx-UI')?.classes[0]).toBe("'^0xjackynginxui' | '~0xjacky/nginxui'");
    for (const address of [
      'https://github.com/0xJacky/nginx-UI',
      'github.com/0xjacky/nginx-ui.git',
      'https://gitlab.com/0xJacky/nginx-ui/#readme',
    ])
      expect(readSearch(address)?.all).toContain(" | '~0xjacky/nginxui'");
    expect(readSearch('either / or')?.classes[0]).toBe("'^eitheror'");
  });

  it('has no operator in it but its own, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const search = readSearch(text, SYNONYMS);
        for (const each of [search?.all ?? '', ...(search?.classes ?? [])]) {
          expect(
            each.replace(/'[=^~+@]?[\p{L}\p{M}\p{N}]{1,200}(?:\/[\p{L}\p{M}\p{N}]{1,200})?'(?::\*)?/gu, ''),
          ).toMatch(/^[ &|()]*$/);
        }
      }),
    );
  });
});
