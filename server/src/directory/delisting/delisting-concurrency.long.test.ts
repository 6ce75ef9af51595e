import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { storeFormerWords } from '../../../testing/directory/stored-rows.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { artifact, listing, relation } from '../../../testing/import/rows.ts';
import { saveRows } from '../../../testing/import/save-rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import { lockRegistry } from '../../catalog/registry-locks.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import { parseRow } from '../../intake/import/parse-row.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { REPOSITORY_TYPES } from '../../scoring/subject-type.ts';
import { delistListing } from './delist-listing.ts';
import { relistListing } from './relist-listing.ts';

const publicUrls = createPublicUrls('https://trust.example');

let work: ImportWorkspace;
let database: Database;

const ROWS = [
  listing('acme/robot', { npmPackage: '@acme/robot' }),
  listing('acme/tool'),
  listing('other/child'),
  listing('third/child'),
  artifact('acme/robot', 'maps'),
  relation('fork_of', 'other/child', 'acme/robot'),
];

beforeEach(async () => {
  work = await createImportWorkspace({ imported: ROWS });
  database = work.database;
});
afterEach(() => work.close());

const delist = () => delistListing(database, { text: 'acme/robot', reason: 'It was spam', publicUrls });
const relist = () => relistListing(database, 'acme/robot', publicUrls);
const idOf = async (text: string) => (await resolveSubject(database, REPOSITORY_TYPES, text, publicUrls)).id;

/**
 * Takes a lock in a transaction, starts `second` and waits until the lock blocks it. Then runs `first` and commits.
 * Returns the order in which the two ended.
 */
async function inOrder(
  lock: (connection: Connection) => Promise<unknown>,
  second: () => Promise<unknown>,
  first: (connection: Connection) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const ended: string[] = [];
  let waiting: Promise<unknown> = Promise.resolve();
  await inTransaction(database, async (connection) => {
    await lock(connection);
    waiting = second().then(() => ended.push('second'));
    await untilBlocked(database, waiting);
    await first(connection);
    ended.push('first');
  });
  await waiting;
  return ended;
}

async function relate(connection: Connection): Promise<void> {
  const row = parseRow(JSON.stringify(relation('fork_of', 'third/child', 'acme/robot')));
  if ('reason' in row) throw new Error(row.reason);
  await saveRows(connection, [row]);
}

const parents = () =>
  database.query(
    'SELECT repository, parent_id AS parent FROM listing WHERE parent_id IS NOT NULL ORDER BY repository',
  );

/** Returns the tables with a row that contains one of these ids. */
async function tablesHolding(ids: readonly string[]): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    'SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1',
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(`SELECT FROM ${name} t WHERE t::text ~ $1 LIMIT 1`, [ids.join('|')]);
    if (rows.length > 0) holding.push(name);
  }
  return holding;
}

describe('a listing', () => {
  it('is delisted after a change of the lineage that is under way, with what that states of it', async () => {
    expect(await inOrder(lockRegistry, delist, relate)).toEqual(['first', 'second']);

    expect(await parents()).toEqual([]);
    expect(await database.query('SELECT id FROM relation')).toEqual([]);
  });

  itAtNight(
    'waits for a concurrent change of lineage when it is relisted, and includes what that stored',
    async () => {
      const robot = await idOf('acme/robot');
      await delist();

      expect(await inOrder(lockRegistry, relist, relate)).toEqual(['first', 'second']);

      expect(await parents()).toEqual([
        { repository: 'other/child', parent: robot },
        { repository: 'third/child', parent: robot },
      ]);
    },
  );

  it.each(
    sampleUnlessNightly(['acme/robot', 'acme/robot#maps', 'other/child'], (name) => name === 'other/child'),
  )('waits for a concurrent change of %s when it is delisted', async (name) => {
    const id = await idOf(name);

    const ended = await inOrder((connection) => lockSubjects(connection, [id]), delist);

    expect(ended).toEqual(['first', 'second']);
  });

  it('leaves rows only in history tables when it is delisted', async () => {
    await storeFormerWords(database);
    const [robot, maps] = [await idOf('acme/robot'), await idOf('acme/robot#maps')];
    await enqueueScoring(database, [robot, maps]);

    await delist();

    const past = ['change', 'delisted_name', 'delisting', 'score_evidence', 'score_version', 'subject'];
    expect(await tablesHolding([robot, maps])).toEqual(past);
  });

  itAtNight(
    'makes its creator, children and listings with the same package due for scoring when it is delisted',
    async () => {
      await work.store(listing('fork/robot', { npmPackage: '@acme/robot' }));
      const [child, sharer] = [await idOf('other/child'), await idOf('fork/robot')];
      const { creatorId } = await delist();

      const due = await database.query<{ id: string }>('SELECT subject_id AS id FROM score_due');

      expect(due.map(({ id }) => id)).toEqual(expect.arrayContaining([child, sharer, creatorId]));
    },
  );
});
