import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { WHOLE_LIST } from '../../../testing/directory/whole-list.ts';
import { findOutdatedCopies } from '../../../testing/outdated-copies.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { recountVocabulary } from '../../catalog/listings/refresh-vocabulary.ts';
import { rewriteSearchWords } from '../../catalog/listings/write-listings.ts';
import { listAgents } from '../../directory/lists/list-agents.ts';
import { describeSchema } from './describe-schema.ts';
import { migrateDown, migrateUp } from './migrate.ts';

const MIGRATION = '0077-search-vocabulary';
const NEVER = new AbortController().signal;

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase({ outdatedCopies: true });
  await makeListing(test.database, {
    name: 'Robot',
    description: 'Paints portraits',
    license: 'MIT',
    stars: 900,
  });
  await makeListing(test.database, {
    name: 'Clock',
    description: 'A robot',
    tags: ['portraits'],
    category: 'data',
  });
});
afterEach(() => test.close());

it('takes back the vocabulary and restores what searches used before', async () => {
  await migrateDown(test.url, { to: MIGRATION });

  const bits = await test.database.query(
    `SELECT k.license, k.marks = o.marks AS same, k.marks <> 0 AS marked, w.form, w.popularity
     FROM listing_rank k JOIN listing_order o USING (subject_id) JOIN listing_words w USING (subject_id) ORDER BY w.sort_name DESC`,
  );
  const spellings = await test.database.query<{ word: string }>(
    'SELECT word FROM search_spelling ORDER BY word',
  );

  expect(bits).toEqual([
    { license: 'mit', same: true, marked: true, form: 0, popularity: 9 },
    { license: '', same: true, marked: true, form: 0, popularity: 0 },
  ]);
  expect(spellings.map(({ word }) => word)).toEqual(expect.arrayContaining(['clock', 'portraits', 'robot']));
  expect(spellings.map(({ word }) => word)).not.toContain('paints');
  expect(await test.database.query('SELECT FROM search_change')).toEqual([]);
  await migrateUp(test.url);
});

it('counts the stored words, and lets the job rewrite them', async () => {
  const schema = await describeSchema(test.database);
  await migrateDown(test.url, { to: MIGRATION });
  await migrateUp(test.url);

  const counted = await test.database.query<{ word: string; listings: number; named: number }>(
    "SELECT word, listings, named FROM search_word WHERE word IN ('robot', 'portrait', 'paints') ORDER BY word",
  );
  expect(counted).toEqual([
    { word: 'paints', listings: 1, named: 0 },
    { word: 'portrait', listings: 2, named: 1 },
    { word: 'robot', listings: 2, named: 1 },
  ]);
  expect(await describeSchema(test.database)).toBe(schema);

  expect(await rewriteSearchWords(test.database, NEVER)).toBe(2);
  await recountVocabulary(test.database);
  expect(await findOutdatedCopies(test.database)).toEqual([]);
  const { agents } = await listAgents(test.database, {
    ...WHOLE_LIST,
    sort: 'relevance',
    q: 'portraits of robots',
  });
  expect(agents.map(({ name }) => name).sort()).toEqual(['Clock', 'Robot']);
  const [paints] = await test.database.query("SELECT stem FROM search_word WHERE word = 'paints'");
  expect(paints).toEqual({ stem: 'paint' });
});
