import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { WHOLE_LIST } from '../../../testing/directory/whole-list.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import {
  type ListingInput,
  makeArtifact,
  makeListing,
  makeRelation,
  makeScore,
} from '../../../testing/subjects/registry.factory.ts';
import { recountVocabulary } from '../../catalog/listings/refresh-vocabulary.ts';
import { parseSynonyms, readSynonyms } from '../../catalog/listings/synonyms.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import type { Database } from '../../platform/database/connect.ts';
import { type ListInput, listAgents } from '../lists/list-agents.ts';

let test: TestDatabase;
let database: Database;

const SYNONYMS = parseSynonyms('[["k8s", "kubernetes"], ["llm", "large language model"]]', 'a test');

/** Synonyms that come with the server. */
const OWN_SYNONYMS = readSynonyms(fileURLToPath(new URL('../../../synonyms.json', import.meta.url)));

/** Returns different words that no search of these tests has. */
function manyWords(count: number): string {
  return Array.from({ length: count }, (_, at) => `matter${at}`).join(' ');
}

const LISTINGS: Record<string, ListingInput> = {
  // A need that is phrased in words of a description.
  crawlwell: {
    description: 'Crawl whole websites and extract clean text for language systems',
    stars: 60_000,
  },
  'crawl-websites': { description: 'x', stars: 0 },
  // Conversions.
  markflow: { description: 'Convert PDF to Markdown', stars: 3_000 },
  printdown: { description: 'Convert Markdown to PDF', stars: 4_000 },
  // Rare and common words.
  'sound-server': { description: 'Sonogram server', tags: ['sonogram'], stars: 100 },
  'mail-server': { description: 'Server for mail', stars: 900 },
  'chat-server': { description: 'Server for chats', stars: 900 },
  'file-server': { description: 'Server for files', stars: 900 },
  // The same word in a tag, a name and a description.
  weathervane: { description: 'Rain', tags: ['forecast'], stars: 100 },
  'forecast-now': { description: 'Rain', stars: 100 },
  raincoat: { description: 'A forecast of rain', stars: 100 },
  // Synonyms.
  'cluster-kit': { description: 'Runs kubernetes clusters', stars: 50 },
  promptly: { description: 'Prompts for any large language model', stars: 50 },
  // Text without spaces, and other languages.
  飞书数据库助手: { stars: 10 },
  'reverse-helper': { description: '书飞', stars: 10 },
  東京カレンダー: { stars: 10 },
  rechnungspruefer: { description: 'Prüft Rechnungen auf Übereinstimmung', stars: 10 },
  polyglot: { description: 'Translation of documents', stars: 10 },
  traductor: { description: 'Traduce documentación del español', stars: 10 },
  'llm-box': {},
  'large-box': {},
  // A word in a category, a description, a creator's name and an artifact.
  abacus: { category: 'research' },
  scholar: { description: 'Research' },
  plain: { repository: 'zeppelin/plain', stars: 500 },
  'skill-box': { stars: 500 },
  airship: { description: 'A zeppelin', stars: 5 },
  // One that says little else, and one that lists many things.
  lighthouse: { description: 'Beacon', stars: 1_000 },
  almanac: { description: `Beacon, ${manyWords(60)}`, stars: 1_100 },
  // The same two words next to each other, and far from each other.
  'key-ring': { description: `A password safe, ${manyWords(12)}`, stars: 500 },
  'key-hole': { description: `A password, ${manyWords(12)}, safe`, stars: 1_500 },
  // Two with one name.
  'first/tide-table': {
    name: 'Tide table',
    repository: 'first/tide-table',
    description: manyWords(60),
    stars: 1_000,
  },
  'second/tide-table': { name: 'Tide table', repository: 'second/tide-table', description: 'x', stars: 900 },
  // Names.
  'paint-robot': { stars: 5 },
  'robot-gallery': { description: 'Robots that paint', tags: ['paint', 'robot'], stars: 90_000 },
};

const made: Record<string, Awaited<ReturnType<typeof makeListing>>> = {};

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  for (const [name, input] of Object.entries(LISTINGS))
    made[name] = await makeListing(database, { name, ...input });
  await makeArtifact(database, madeOf('skill-box'), { name: 'zeppelin-pilot' });
  await refreshSearch(database, [madeOf('skill-box').id]);
  await recountVocabulary(database);
}, 60_000);
afterAll(() => test.close());

async function find(q: string, input: Partial<ListInput> = {}): Promise<string[]> {
  const asked = { ...WHOLE_LIST, sort: 'relevance' as const, q, synonyms: SYNONYMS, ...input };
  return (await listAgents(database, asked)).agents.map(({ name }) => name);
}

/** Searches for `q` and returns which of these listings comes first. Expects that all of them are found. */
async function firstOf(q: string, ...names: string[]): Promise<string | undefined> {
  const found = (await find(q)).filter((name) => names.includes(name));
  expect(found.sort()).toEqual([...names].sort());
  return (await find(q)).find((name) => names.includes(name));
}

function madeOf(name: string) {
  const listing = made[name];
  if (!listing) throw new Error(`no listing ${name}`);
  return listing;
}

describe('a search by relevance', () => {
  it('prefers a known tool that describes itself with all words to an unknown one with the words in its name', async () => {
    expect(await firstOf('tool to crawl websites', 'crawlwell', 'crawl-websites')).toBe('crawlwell');
  });

  it('needs most of the weighted words; in other orders, all words that say something', async () => {
    expect(await find('crawl websites sonogram')).toEqual(['crawlwell', 'crawl-websites']);
    expect(await find('crawl forecast sonogram')).toEqual([]);
    expect(await find('crawl websites sonogram', { sort: 'name' })).toEqual([]);
    expect(await find('crawl the websites and extract the text', { sort: 'name' })).toEqual(['crawlwell']);
  });

  it('weighs rare words more than common ones', async () => {
    const found = await find('sonogram server');

    expect(found[0]).toBe('sound-server');
    expect(found).not.toContain('mail-server');
  });

  it('weighs names more than tags, and tags more than descriptions', async () => {
    expect(await find('forecast')).toEqual(['forecast-now', 'weathervane', 'raincoat']);
  });

  it('prefers a listing that is about little else to one that names many things', async () => {
    expect(await firstOf('beacon', 'lighthouse', 'almanac')).toBe('lighthouse');
  });

  it('prefers a listing that has the words near one another to a more popular one that has them far apart', async () => {
    expect(await find('password safe')).toEqual(['key-ring', 'key-hole']);
  });

  it('follows the direction of a conversion', async () => {
    expect(await find('convert pdf to markdown')).toEqual(['markflow', 'printdown']);
    expect(await find('convert markdown to pdf')).toEqual(['printdown', 'markflow']);
    expect(await find('pdf -> markdown')).toEqual(['markflow', 'printdown']);
  });

  it('finds synonyms in both directions, also those of several words', async () => {
    expect(await find('k8s')).toEqual(['cluster-kit']);
    expect(await find('llm prompts')).toEqual(['promptly', 'llm-box']);
    expect(await find('large language model', { sort: 'name' })).toEqual(['llm-box', 'promptly']);
  });

  it('finds German, Spanish, Chinese and Japanese', async () => {
    expect(await find('Rechnungen prüft')).toEqual(['rechnungspruefer']);
    expect(await find('documentación en español')).toEqual(['traductor']);
    expect(await find('数据库')).toEqual(['飞书数据库助手']);
    expect(await find('飞书')).toEqual(['飞书数据库助手']);
    expect(await find('カレンダー')).toEqual(['東京カレンダー']);
  });

  it.each(['übersetzer', 'Übersetzung', 'traductora', 'translator', '翻译', '翻訳ツール'])(
    'finds a need in another language by the synonyms of the server: %s',
    async (q) => {
      expect(await find(q, { synonyms: OWN_SYNONYMS })).toContain('polyglot');
    },
  );

  it('leads with the widely used one of two listings with one name, however many words it has', async () => {
    const { agents } = await listAgents(database, { ...WHOLE_LIST, sort: 'relevance', q: 'tide table' });

    const places = agents.map(({ repositoryUrl }) => new URL(repositoryUrl).pathname);
    expect(places).toEqual(['/first/tide-table', '/second/tide-table']);
  });

  it('leads with the listing whose name or repository is the text', async () => {
    const { repository } = madeOf('paint-robot');

    expect((await find('paint-robot'))[0]).toBe('paint-robot');
    expect((await find('PaintRobot'))[0]).toBe('paint-robot');
    expect(await find(repository)).toEqual(['paint-robot']);
    expect(await find(`https://github.com/${repository}.git`)).toEqual(['paint-robot']);
    // With a space, the text is a need and not a name. The popular listing meets the need better.
    expect((await find('paint robot'))[0]).toBe('robot-gallery');
  });

  it('finds names split at capitals, joined, and by the forms of a word', async () => {
    expect(await find('forecastnow')).toEqual(['forecast-now']);
    expect(await find('crawling website')).toEqual(['crawlwell', 'crawl-websites']);
    expect(await find('soundserver')).toEqual(['sound-server']);
  });

  it('finds words of categories', async () => {
    expect(await find('research')).toEqual(['abacus', 'scholar']);
  });

  it.each(['relevance', 'name'] as const)(
    'finds artifacts and creators, with less weight than descriptions, by %s',
    async (sort) => {
      expect(await find('zeppelin', { sort })).toEqual(['airship', 'plain', 'skill-box']);
    },
  );

  it('gives words of artifacts that an earlier release has stored the same weight', async () => {
    const { id } = madeOf('skill-box');
    await database.query(
      "UPDATE listing_words SET words = strip(words) || '''%zeppelin'''::tsvector WHERE subject_id = $1",
      [id],
    );
    try {
      expect(await find('zeppelin')).toEqual(['airship', 'plain', 'skill-box']);
    } finally {
      await refreshSearch(database, [id]);
    }
  });

  it('finds beginnings of words, after whole words', async () => {
    expect(await find('weatherv')).toEqual(['weathervane']);
    expect(await find('sonog')).toEqual(['sound-server']);
  });

  it.each([
    ['crawl forecast sonogram', 'words', 'sound-server', []],
    ['crawl forecast sonogram zyzzyva', 'words', 'sound-server', ['zyzzyva']],
    ['forecastery', 'spelling', 'forecast-now', ['forecastery']],
    ['库存', 'spelling', '飞书数据库助手', ['库存']],
    ['zyzzyva ωμέγα', 'popularity', 'robot-gallery', ['zyzzyva', 'ωμέγα']],
    ['!!!', 'popularity', 'robot-gallery', []],
  ])('shows the nearest listings if none matches: %s', async (q, by, expected, unknown) => {
    for (const sort of ['relevance', 'name'] as const) {
      const { agents, nearest, nearestBy, ignoredWords } = await listAgents(database, {
        ...WHOLE_LIST,
        sort,
        q,
      });

      expect({ agents, nearestBy, ignoredWords }).toEqual({
        agents: [],
        nearestBy: by,
        ignoredWords: unknown.map((word) => ({ word, reason: 'unknown' })),
      });
      expect(nearest.map(({ name }) => name)).toContain(expected);
      expect(nearest.length).toBeLessThanOrEqual(5);
    }
  });

  it.each([
    ['', 'popularity', 'robot-gallery'],
    ['sonogram', 'words', 'sound-server'],
  ])('shows the nearest listings of a long text with %j', async (known, by, expected) => {
    const unknown = Array.from({ length: 14 }, (_, at) => `ωμέγα${'ω'.repeat(at)}`);
    const q = [known, ...unknown].join(' ');
    const { agents, nearest, nearestBy } = await listAgents(database, { ...WHOLE_LIST, sort: 'name', q });

    expect({ agents, nearestBy, first: nearest[0]?.name }).toEqual({
      agents: [],
      nearestBy: by,
      first: expected,
    });
  });

  it('shows nothing else if a listing matches', async () => {
    const { nearest, nearestBy } = await listAgents(database, { ...WHOLE_LIST, q: 'sonogram' });

    expect({ nearest, nearestBy }).toEqual({ nearest: [], nearestBy: null });
  });
});

describe('old names, copies and listings with a warning', () => {
  const names = async (q: string) =>
    (await listAgents(database, { ...WHOLE_LIST, sort: 'relevance', q })).agents.map(({ name }) => name);

  it.each(['renamed_to', 'probable_rename_to', 'duplicate_of', 'copied_from'])(
    'come below their originals: %s',
    async (type) => {
      const word = type.replace('_', '');
      const displaced = await makeListing(database, { name: 'displaced', tags: [word], stars: 900 });
      const original = await makeListing(database, { name: 'original', tags: [word], stars: 600 });
      expect(await names(word)).toEqual(['displaced', 'original']);

      await makeRelation(database, type, [displaced, original]);

      expect(await names(word)).toEqual(['original', 'displaced']);
    },
  );

  it('come below others: warnings', async () => {
    const warned = await makeListing(database, { name: 'warned', tags: ['lantern'], stars: 900 });
    await makeListing(database, { name: 'sound', tags: ['lantern'], stars: 600 });
    await makeScore(database, warned, { trust: 60, confidence: 60 });
    expect(await names('lantern')).toEqual(['warned', 'sound']);

    await writeListings(
      database,
      "UPDATE listing_rank SET verdict = 'warning', reasons = '{}' WHERE subject_id = $1",
      [warned.id],
    );

    expect(await names('lantern')).toEqual(['sound', 'warned']);
  });

  it('trust decides between listings that are relied on alike', async () => {
    await makeListing(database, { name: 'untrusted', tags: ['compass'], stars: 600 });
    const trusted = await makeListing(database, { name: 'trusted', tags: ['compass'], stars: 600 });
    await makeScore(database, trusted, { trust: 80, confidence: 80 });

    expect(await names('compass')).toEqual(['trusted', 'untrusted']);
  });
});
