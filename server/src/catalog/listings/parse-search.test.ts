import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSearch } from './parse-search.ts';
import { parseSynonyms } from './synonyms.ts';

const SYNONYMS = parseSynonyms('[["k8s", "kubernetes"], ["llm", "large language model"]]', 'a test');

describe('a search', () => {
  it('looks for every word as a prefix, and for adjacent words joined', () => {
    expect(parseSearch("git:* & !hub | 'x")?.all).toBe(
      "'git':* & 'hub':* & 'x':* | 'github':* & 'x':* | 'git':* & 'hubx':* | 'githubx':*",
    );
  });

  it('matches nothing if the text has no word', () => {
    expect(parseSearch('  :*&|!() ')).toBeNull();
  });

  it('looks for the common prefix of a word’s forms', () => {
    expect(parseSearch('scrape')?.all).toBe("'scrap':*");
    expect(parseSearch('agents')?.all).toBe("'agent':*");
    expect(parseSearch('memories')?.all).toBe("'memor':*");
  });

  it('looks for synonyms of one word or of several', () => {
    expect(parseSearch('k8s', SYNONYMS)?.all).toBe("('k8s':* | 'kubernet':*)");
    expect(parseSearch('llm', SYNONYMS)?.all).toBe("('llm':* | 'large':* & 'languag':* & 'model':*)");
    expect(parseSearch('kubernetes', SYNONYMS)?.all).toBe("('kubernet':* | 'k8s':*)");
  });

  it('ranks the whole name, its prefix, its words, tags, creator, then all words', () => {
    expect(parseSearch('nginx ui')?.classes).toEqual([
      "'^nginxui'",
      "'^nginxui':*",
      "'=nginx':* & '=ui':* | '=nginxui':*",
      "('=nginx':* | '+nginx':*) & ('=ui':* | '+ui':*) | ('=nginxui':* | '+nginxui':*)",
      "('=nginx':* | '+nginx':* | '@nginx':*) & ('=ui':* | '+ui':* | '@ui':*) | ('=nginxui':* | '+nginxui':* | '@nginxui':*)",
      "'nginx':* & 'ui':* | 'nginxui':*",
    ]);
  });

  it('recognises owner/name in any spelling', () => {
    expect(parseSearch('0xJacky/nginx-UI')?.classes[0]).toBe("'^0xjackynginxui' | '~0xjacky/nginxui'");
    for (const address of [
      'https://github.com/0xJacky/nginx-UI',
      'github.com/0xjacky/nginx-ui.git',
      'https://gitlab.com/0xJacky/nginx-ui/#readme',
    ])
      expect(parseSearch(address)?.all).toContain(" | '~0xjacky/nginxui'");
    expect(parseSearch('either / or')?.classes[0]).toBe("'^eitheror'");
  });

  it('contains no operators from the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const search = parseSearch(text, SYNONYMS);
        for (const each of [search?.all ?? '', ...(search?.classes ?? [])]) {
          expect(
            each.replace(/'[=^~+@]?[\p{L}\p{M}\p{N}]{1,200}(?:\/[\p{L}\p{M}\p{N}]{1,200})?'(?::\*)?/gu, ''),
          ).toMatch(/^[ &|()]*$/);
        }
      }),
    );
  });
});
