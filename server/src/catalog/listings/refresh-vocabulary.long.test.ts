import { afterEach, beforeEach, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { listing } from '../../../testing/import/rows.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { createRecountJob, ImportedWords, recountVocabulary, saveVocabulary } from './refresh-vocabulary.ts';

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace({
    imported: [
      listing('acme/robot', { name: 'Robot', description: 'Paints portraits.' }),
      listing('acme/painter', { description: 'Robots paint.', tags: ['portraits'] }),
      listing('other/clock', { description: 'A robot clock.' }),
    ],
  });
});
afterEach(() => work.close());

/** Reads all rows of a word. */
function rowsOf(word: string) {
  return work.database.query<{ stem: string; listings: number; named: number }>(
    'SELECT stem, listings, named FROM search_word WHERE word = $1 ORDER BY named DESC',
    [word],
  );
}

itAtNight('has the words of imported listings, each with its stem', async () => {
  expect(await rowsOf('portraits')).toContainEqual({ stem: 'portrait', listings: 1, named: 1 });
  expect(await rowsOf('paints')).toEqual([{ stem: 'paint', listings: 1, named: 1 }]);
  expect(await rowsOf('paint')).toEqual([{ stem: 'paint', listings: 1, named: 1 }]);
  expect(await rowsOf('absent')).toEqual([]);
  expect(await work.database.query("SELECT FROM search_word WHERE word ~ '^[=^~+%#]'")).toEqual([]);
});

it('does not get a known word again, unless it is in a name or tag for the first time', async () => {
  await work.store(listing('more/robot', { name: 'Robot', description: 'Paints murals.' }));
  await work.store(listing('more/easel', { name: 'Easel', description: 'Holds murals.' }));
  expect(await rowsOf('murals')).toHaveLength(1);

  await work.store(listing('more/murals', { name: 'Murals' }));
  expect(await rowsOf('murals')).toEqual([
    { stem: 'mural', listings: 1, named: 1 },
    { stem: 'mural', listings: 1, named: 0 },
  ]);
});

itAtNight('follows changed texts', async () => {
  await work.store(listing('other/clock', { description: 'Tells eclipses.' }));

  expect(await rowsOf('eclipses')).toEqual([{ stem: 'eclips', listings: 1, named: 0 }]);
});

itAtNight('counts the listings of each word again, and merges rows of one word', async () => {
  await saveVocabulary(work.database, [{ words: ['clock', '=clock'], weak: '' }]);
  await work.database.query(
    "INSERT INTO search_word VALUES ('robot', 'robot', 7, 0), ('clock', 'clock', 9, 9)",
  );

  expect(await recountVocabulary(work.database)).toBeGreaterThan(0);

  expect(await rowsOf('robot')).toEqual([{ stem: 'robot', listings: 3, named: 1 }]);
  expect(await rowsOf('clock')).toEqual([{ stem: 'clock', listings: 1, named: 1 }]);
  expect(await rowsOf('portraits')).toEqual([{ stem: 'portrait', listings: 2, named: 1 }]);
  expect(await rowsOf('eclipses')).toEqual([]);
  expect(await recountVocabulary(work.database)).toBe(0);
});

itAtNight('counts a word of a category as named only where a name or tag has it', async () => {
  await work.store(listing('more/coding', { name: 'Pair Coding' }));
  await work.store(listing('more/quiz', { description: 'Asks coding questions.' }));

  await recountVocabulary(work.database);

  expect(await rowsOf('coding')).toEqual([{ stem: 'coding', listings: 5, named: 1 }]);
});

it('loses a word that no listing has any more with the second recount, unless a listing has it again', async () => {
  const describe = (description: string) => work.store(listing('other/clock', { description }));
  await describe('Tells eclipses.');
  await describe('A clock.');

  await recountVocabulary(work.database);
  expect(await rowsOf('eclipses')).toEqual([{ stem: 'eclips', listings: 0, named: 0 }]);
  await describe('Tells eclipses.');
  await recountVocabulary(work.database);
  expect(await rowsOf('eclipses')).toEqual([{ stem: 'eclips', listings: 1, named: 0 }]);

  await describe('A clock.');
  expect(await recountVocabulary(work.database)).toBeGreaterThan(0);
  expect(await recountVocabulary(work.database)).toBeGreaterThan(0);
  expect(await rowsOf('eclipses')).toEqual([]);
  expect(await rowsOf('clock')).toHaveLength(1);
  expect(await recountVocabulary(work.database)).toBe(0);
});

itAtNight('gets a missing word back with the next recount', async () => {
  await work.database.query("DELETE FROM search_word WHERE word IN ('portraits', 'robot')");

  await recountVocabulary(work.database);

  expect(await rowsOf('portraits')).toEqual([{ stem: 'portrait', listings: 2, named: 1 }]);
  expect(await rowsOf('robot')).toEqual([{ stem: 'robot', listings: 3, named: 1 }]);
});

it('gets each word of an import once, also from a batch that failed, and all again if they could not be stored', async () => {
  const sent: string[][] = [];
  let isBroken = false;
  const words = new ImportedWords((storeWords) =>
    inTransaction(work.database, (connection) => {
      const query: typeof connection.query = (sql, bind = []) => {
        sent.push(bind[0] as string[]);
        return isBroken ? Promise.reject(new Error('the connection breaks')) : connection.query(sql, bind);
      };
      return storeWords({ ...connection, query });
    }),
  );
  const store = (...some: string[]) =>
    inTransaction(work.database, async (connection) => {
      words.begin(connection);
      await saveVocabulary(connection, [{ words: some }]);
      if (some.includes('fails')) throw new Error('the batch fails');
      await words.saved();
    });

  await expect(store('fails', 'eclipse')).rejects.toThrow('the batch fails');
  await store('eclipse');
  await store('eclipse', 'comet');
  await store('eclipse', '=eclipse');
  await store('eclipse', 'comet', '=eclipse');
  expect(sent.splice(0)).toEqual([['fails', 'eclipse'], ['comet'], ['eclipse']]);
  expect(await rowsOf('eclipse')).toEqual([
    { stem: 'eclips', listings: 1, named: 1 },
    { stem: 'eclips', listings: 1, named: 0 },
  ]);

  isBroken = true;
  await expect(store('meteor')).rejects.toThrow('the connection breaks');
  isBroken = false;
  await store('meteor');
  expect(sent).toEqual([['meteor'], ['meteor']]);
  expect(await rowsOf('meteor')).toHaveLength(1);
});

it('has the words of a listing before the listing is imported', async () => {
  await work.database.query("ALTER TABLE search_word ADD CHECK (word <> 'nebula')");
  const nebula = listing('more/nebula', { name: 'Nebula' });

  await expect(work.store(nebula)).rejects.toThrow('check constraint');
  expect(await work.database.query("SELECT FROM listing WHERE name = 'Nebula'")).toEqual([]);

  await work.database.query('ALTER TABLE search_word DROP CONSTRAINT search_word_word_check');
  await work.store(nebula);
  expect(await rowsOf('nebula')).toHaveLength(1);
});

it('does nothing while another process counts', async () => {
  await recountVocabulary(work.database);
  await work.database.query("UPDATE search_word SET listings = 50 WHERE word = 'robot'");

  await inTransaction(work.database, async (connection) => {
    await connection.query('SELECT pg_advisory_xact_lock(7202700)');
    expect(await recountVocabulary(work.database)).toBe(0);
  });

  expect(await recountVocabulary(work.database)).toBe(1);
});

it('is counted again by the job at its start and after many new listings, otherwise not', async () => {
  const job = createRecountJob(work.database);
  const spoil = () => work.database.query("UPDATE search_word SET listings = 50 WHERE word = 'robot'");

  await spoil();
  expect(await job()).toBeGreaterThan(0);
  await spoil();
  expect(await job()).toBe(0);
  await work.store(listing('more/robot'));
  expect(await job()).toBeGreaterThan(0);
});
