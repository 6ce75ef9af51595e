import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { recountVocabulary } from '../../catalog/listings/refresh-vocabulary.ts';
import { parseSynonyms } from '../../catalog/listings/synonyms.ts';
import { buildSearch } from './build-search.ts';
import { matchOf } from './match-conditions.sql.ts';

const SYNONYMS = parseSynonyms(
  '[["k8s", "kubernetes"], ["llm", "large language model"], ["kubernetes", "container kraken"]]',
  'a test',
);
/** Words from the rarest, which one listing has in its name, to the most common. */
const NUMBERED = Array.from({ length: 20 }, (_, at) => `quokka${at + 10}`);

const LONG = 'x'.repeat(66);

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  for (let listing = 0; listing < NUMBERED.length; listing += 1)
    await makeListing(test.database, { name: NUMBERED.slice(listing).join(' ') });
  for (let count = 0; count < 4; count += 1) {
    await makeListing(test.database, {
      name: `scraper ${count}`,
      description: 'Scraping and scrapes for teams',
    });
    await makeListing(test.database, { name: `kubernetes ${count}`, description: 'Teams like it' });
  }
  for (const name of ['agentica', 'open-mercato', 'mercadolibre', 'mercadopago', 'mercadona'])
    await makeListing(test.database, {
      name,
      description: name === 'agentica' ? 'Agentyca from argentina' : '',
    });
  for (let count = 0; count < 3; count += 1) await makeListing(test.database, { name: `wordpress ${count}` });
  await makeListing(test.database, { name: `within ${LONG}`, description: LONG.slice(1) });
  await makeListing(test.database, { name: 'k8s llm container', description: 'A large language model' });
  await recountVocabulary(test.database);
}, 60_000);
afterAll(() => test.close());

async function parse(text: string) {
  const search = await buildSearch(test.database, text, SYNONYMS);
  if (search === null) throw new Error('the text has no words');
  return search;
}
const wordsOf = (terms: readonly { word: string }[]) => terms.map(({ word }) => word);
const formsOf = async (text: string, word: string) =>
  (await parse(text)).terms.find((term) => term.word === word)?.forms.map((form) => form.join(' '));

describe('a search text', () => {
  it('without words is no search', async () => {
    expect(await buildSearch(test.database, '  :*&|!() ')).toBeNull();
  });

  it('leaves out stop words, and says so', async () => {
    const { terms, ignoredWords } = await parse('a tool to find scrapers');

    expect(wordsOf(terms)).toEqual(['scrapers']);
    expect(ignoredWords).toEqual(['a', 'tool', 'to', 'find'].map((word) => ({ word, reason: 'common' })));
  });

  it('of stop words alone looks for them', async () => {
    const { terms, ignoredWords } = await parse('the best');

    expect(wordsOf(terms).sort()).toEqual(['best', 'the']);
    expect(ignoredWords).toEqual([]);
  });

  it('has at most the 12 rarest words, in any order of the text', async () => {
    for (const text of [NUMBERED.join(' '), [...NUMBERED].reverse().join(' ')]) {
      const { terms, ignoredWords } = await parse(text);

      expect(wordsOf(terms).sort()).toEqual(NUMBERED.slice(0, 12));
      expect(ignoredWords.every(({ reason }) => reason === 'beyond_limit')).toBe(true);
      expect(wordsOf(ignoredWords).sort()).toEqual(NUMBERED.slice(12));
    }
  });

  it('is read up to its hundredth word', async () => {
    const filler = Array.from({ length: 99 }, () => 'the').map((word, at) => `${word}${at}`);
    const { terms, ignoredWords } = await parse([...filler, 'scraper', 'kubernetes'].join(' '));

    expect(wordsOf(terms)).toContain('scraper');
    expect([...wordsOf(terms), ...wordsOf(ignoredWords)]).not.toContain('kubernetes');
    expect(terms).toHaveLength(12);
  });

  it('puts rare words first, and words of names before equally common words of descriptions', async () => {
    const { terms } = await parse('quokka29 quokka10');
    expect(wordsOf(terms)).toEqual(['quokka10', 'quokka29']);
    expect(terms[0]?.weight).toBeGreaterThan(terms[1]?.weight ?? Number.NaN);

    expect(wordsOf((await parse('teams kubernetes')).terms)).toEqual(['kubernetes', 'teams']);
  });

  it('asks for the stem of a word, which its forms share', async () => {
    for (const form of ['scrape', 'scraper', 'scraping', 'scrapes']) {
      const [term] = (await parse(form)).terms;
      expect(term?.any.split(' | ')).toContain("'scrap'");
      expect(term?.name).toBe("'=scrap'");
    }
  });

  it('also asks for longer words if the word is at least four letters long, or if few listings have it', async () => {
    const anyOf = async (text: string) => (await parse(text)).terms[0]?.any.split(' | ');

    expect(await anyOf('kube')).toContain("'kube':*");
    expect(await anyOf('ku')).toContain("'ku':*");
    expect(await anyOf('kubernetes')).not.toContain("'kubernetes':*");
    expect(await anyOf('for')).not.toContain("'for':*");
  });

  it('knows synonyms in both directions, of one word or of several', async () => {
    expect(await formsOf('k8s', 'k8s')).toContain('kubernetes');
    expect(await formsOf('kubernetes', 'kubernetes')).toContain('k8s');
    expect(await formsOf('llm', 'llm')).toContain('large language model');
    for (const word of ['large', 'language', 'model'])
      expect(await formsOf('a large language model', word)).toContain('llm');
    expect(await formsOf('large model', 'large')).not.toContain('llm');
  });

  it('leaves out synonyms with a word that no listing has', async () => {
    expect(await formsOf('kubernetes', 'kubernetes')).toEqual(['kubernetes', 'k8s']);
  });

  it('has the synonyms and the weight of its corrected words, and is still searched for as typed', async () => {
    const right = await parse('teams for kubernetes');
    const wrong = await parse('teams for kuberntes');

    expect(wrong.didYouMean).toBe('teams for kubernetes');
    expect(await formsOf('teams for kuberntes', 'kubernetes')).toEqual(['kubernetes', 'kuberntes', 'k8s']);
    expect(wrong.terms.map(({ weight }) => weight)).toEqual(right.terms.map(({ weight }) => weight));
    expect(await formsOf('wordpres kuberntes', 'wordpress')).toEqual(['wordpress', 'wordpres']);
  });

  it('stays as it is except for its corrected words', async () => {
    expect(await parse('数据库 → C++ & Kuberntes!')).toMatchObject({
      text: '数据库 → C++ & kubernetes!',
      didYouMean: '数据库 → C++ & kubernetes!',
    });
    expect(await parse('kuberntes-wordpress')).toMatchObject({ text: 'kubernetes-wordpress', isName: true });
    expect((await parse('acme/kuberntes-wordpress')).named).toContain("'~acme/kuberneteswordpress'");
  });

  it('has no word corrected to a stop word, and no very long one', async () => {
    expect((await parse('wihtin teams')).didYouMean).toBeNull();
    expect((await parse(`${LONG.slice(1)} teams`)).didYouMean).toBeNull();
  });

  it('keeps a word that a listing has, unless one edit corrects it', async () => {
    expect((await parse('argentina teams')).didYouMean).toBeNull();
    expect((await parse('agentyca teams')).didYouMean).toBe('agentica teams');
  });

  it('corrects the beginning of a longer word only to a word that begins with it, and not at the end', async () => {
    expect((await parse('wordpres teams')).didYouMean).toBe('wordpress teams');
    expect((await parse('teams wordpres')).didYouMean).toBeNull();
    expect((await parse('mercado teams')).didYouMean).toBeNull();
    expect((await parse('agenti teams')).didYouMean).toBeNull();
  });

  it('recognises owner/name in any spelling', async () => {
    expect((await parse('0xJacky/nginx-UI')).named).toBe("'^0xjackynginxui' | '~0xjacky/nginxui'");
    for (const address of [
      'https://github.com/0xJacky/nginx-UI',
      'github.com/0xJacky/nginx-ui.git',
      'https://gitlab.com/0xJacky/nginx-ui/#readme',
    ])
      expect(await parse(address)).toMatchObject({
        named: expect.stringContaining(" | '~0xjacky/nginxui'"),
        isName: true,
      });
    expect(await parse('either / or')).toMatchObject({ named: "'^eitheror'", isName: false });
  });

  it('takes a text without spaces for a name, unless its script has no spaces', async () => {
    expect(await parse('nginx-ui')).toMatchObject({ isName: true });
    expect(await parse('RSSフィードを読む')).toMatchObject({ isName: false });
  });
});

describe('the matches by relevance', () => {
  const WORDS = ['one', 'two', 'three', 'four', 'five', 'six'];
  const HALF = 0.5;

  it.each([
    [[1]],
    [[2, 1]],
    [[1, 1]],
    [[3, 2, 2]],
    [[1, 1, 1, 1]],
    [[8, 1, 1, 1, 1]],
    [[1, 1, 1, 1, 1]],
    [[5, 4, 3, 2.5, 0.1]],
    [[3, 3, 2, 2, 2, 9]],
  ])('have words with half of the weight of the first five: %j', async (weights) => {
    const synonymShares = new Map();
    const terms = weights.map((weight, at) => ({
      weight,
      any: `'${WORDS[at]}'`,
      share: 0.1,
      synonymShares,
    }));
    const match = matchOf({ ...(await parse('scraper')), terms: terms as never, named: "'^none'" }, [], true);
    const sets = await test.database.query<{ set: number }>(
      `SELECT set FROM generate_series(0, 63) AS set WHERE array_to_tsvector(ARRAY(
         SELECT word FROM unnest($1::text[]) WITH ORDINALITY AS each (word, at) WHERE set >> (at - 1)::int & 1 = 1)) @@ $2::tsquery`,
      [WORDS, match?.by],
    );

    const counted = weights.slice(0, 5);
    const sum = (all: readonly number[]) => all.reduce((total, weight) => total + weight, 0);
    const expected = Array.from({ length: 64 }, (_, set) => set).filter(
      (set) => sum(counted.filter((_, at) => (set >> at) & 1)) >= HALF * sum(counted) - 1e-9,
    );
    expect(sets.map(({ set }) => set)).toEqual(expected);
    expect(match?.expected).toBeGreaterThan(0);
  });
});
