import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { WHOLE_LIST } from '../../../testing/directory/whole-list.ts';
import { noteStatements } from '../../../testing/read-rows.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { parseSynonyms } from '../../catalog/listings/synonyms.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { type ListInput, listAgents } from '../lists/list-agents.ts';
import { buildSearch } from './build-search.ts';
import { nearestSpelling } from './correct-spelling.ts';

const LIST: ListInput = { ...WHOLE_LIST, sort: 'relevance' };

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ outdatedCopies: true });
  database = test.database;
  await makeListing(database, { name: 'LangGraph', stars: 9_000 });
  await makeListing(database, { name: 'mcp-playwright', stars: 5_000 });
  await makeListing(database, { name: 'observatory', tags: ['telescope'] });
  await makeListing(database, { name: 'codepro', stars: 3 });
  await makeListing(database, { name: 'codexpro', stars: 900 });
});
afterAll(() => test.close());

async function ask(q: string, sort: ListInput['sort'] = 'relevance', connection: Connection = database) {
  const { agents, total, didYouMean } = await listAgents(connection, { ...LIST, q, sort });
  return { names: agents.map(({ name }) => name), total, didYouMean };
}

describe('a misspelled search', () => {
  it('also finds what its correction finds, in every order, and says so', async () => {
    const langGraph = { names: ['LangGraph'], total: 1, didYouMean: 'LangGraph' };

    expect(await ask('langgrph')).toEqual(langGraph);
    expect(await ask('langgrph', 'score_desc')).toEqual(langGraph);
    expect(await ask('mp-playwright')).toMatchObject({
      names: ['mcp-playwright'],
      didYouMean: 'mcp-playwright',
    });
    expect(await ask('observatory telesocpe')).toMatchObject({
      total: 1,
      didYouMean: 'observatory telescope',
    });
  });

  it('without ASCII letters, which have no trigrams, is not compared with the whole vocabulary', async () => {
    const { noting, sent } = noteStatements(database, 'near_words');

    expect(await ask('日本の法令を検索', 'relevance', noting)).toMatchObject({ total: 0, didYouMean: null });
    expect(sent).toEqual([]);
  });

  it('of more than six words is not corrected, because enough other words match', async () => {
    const words = (count: number) =>
      ['observatory', 'telesocpe', 'w3', 'w4', 'w5', 'w6', 'w7'].slice(0, count).join(' ');

    expect(await ask(words(6))).toMatchObject({ didYouMean: expect.stringContaining('telescope') });
    expect(await ask(words(7))).toMatchObject({ didYouMean: null });
  });

  it('is not corrected if it is a name, or nothing is near', async () => {
    expect(await ask('langgraph')).toMatchObject({ total: 1, didYouMean: null });
    expect(await ask('qqqqqqqq')).toEqual({ names: [], total: 0, didYouMean: null });
    expect(await ask('!!!')).toEqual({ names: [], total: 0, didYouMean: null });
  });

  it('is not corrected in a word with synonyms, because such a word is spelled correctly', async () => {
    const synonyms = parseSynonyms('[["telescopio", "telescope"]]', 'a test');
    const { agents, didYouMean } = await listAgents(database, { ...LIST, q: 'telescopio', synonyms });

    expect(agents.map(({ name }) => name)).toEqual(['observatory']);
    expect(didYouMean).toBeNull();
    expect((await ask('telescopio')).didYouMean).toBe('telescope');
  });

  it('prefers the more popular of the corrections one edit away', async () => {
    expect(await ask('codxepro')).toEqual({ names: ['codexpro'], total: 1, didYouMean: 'codexpro' });
  });

  it('is never corrected to a spelling without matches', async () => {
    const gone = await makeListing(database, { name: 'zeppelins' });
    expect((await ask('zepelins')).didYouMean).toBe('zeppelins');

    await database.query('DELETE FROM listing_words WHERE subject_id = $1', [gone.id]);

    expect((await ask('zepelins')).didYouMean).toBeNull();
  });
});

describe('the address of a listing', () => {
  it('is not corrected to a near name', async () => {
    await makeListing(database, { repository: 'acme/robot', name: 'Another name' });
    await makeListing(database, { repository: 'acne/robot', name: 'acnerobot' });

    const { names, didYouMean } = await ask('acme/robot');
    expect({ first: names[0], didYouMean }).toEqual({ first: 'Another name', didYouMean: null });
  });
});

describe('candidates', () => {
  it.each([20, 60, 200])('are bounded for a text of %i letters', async (length) => {
    const { noting, sent } = noteStatements(database, '');
    const text = 'xqzjkvwyhb'.repeat(length / 10);

    expect(await nearestSpelling(noting, text.slice(0, length))).toBeNull();

    expect(sent.length).toBeLessThanOrEqual(length > 60 ? 0 : 3);
    for (const { bind } of sent)
      for (const value of bind) expect(Array.isArray(value) ? value.length : 0).toBeLessThanOrEqual(1_500);
  });

  it('are looked up for at most three words of a text', async () => {
    const { noting, sent } = noteStatements(database, 'near_words');
    const words = Array.from({ length: 6 }, (_, at) => `xqzjkvwypq${at}`);

    await buildSearch(noting, words.join(' '));

    expect(sent.map(({ bind }) => bind[0])).toEqual(words.slice(0, 3));
  });
});
