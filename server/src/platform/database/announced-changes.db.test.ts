import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { openReadingProcess } from '../../../testing/http/reading-process.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { makeDirectoryWorld } from '../../../testing/pages/directory-world.ts';
import { connect, type Database } from './connect.ts';
import { TIME_DEPENDENT_SQL } from './tracked-dependencies.ts';
import { inTransaction } from './transaction.ts';

let test: TestDatabase;
let writing: Database;
const heard: string[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  await replaceClock(test.database);
  await makeDirectoryWorld(test.database);
  writing = connect(test.url, { poolSize: 2, onChange: (change) => heard.push(change) });
}, 120_000);
afterAll(async () => {
  await writing?.close();
  await test?.close();
});

async function told(work: () => Promise<unknown>): Promise<string[]> {
  heard.length = 0;
  await work();
  return [...heard];
}

describe('cached public responses', () => {
  /** Tables whose rows depend on those of another table, which announces changes. */
  const FOLLOWING = new Map([
    ['score_version', 'a row never changes, and is shown once its subject’s version is its own'],
    ['score_evidence', 'a row never changes, and is shown with the versions that name it'],
    ['listed_name', 'its rows follow listings, creators and artifacts and the stars that order lists'],
    ['listing_order', 'its rows come and go with their listings; a move in an order is announced'],
    ['listing_total', 'its sums change with the rows of the search words'],
    [
      'repository_refresh',
      'the moment of the last look at any repository, which is kept for a minute at most',
    ],
    ['search_word', 'its counts are those of the last recount, and its rows come with search words'],
  ]);

  it('depend on tables that announce all their changes', async () => {
    const process = await openReadingProcess(test.url);
    const statements: string[] = [];
    process.onRows(async (sql) => void statements.push(sql));
    for (const url of PUBLIC_READS) await process.app.inject(url);
    await process.close();

    // The bits of INSERT, DELETE, UPDATE and TRUNCATE.
    const tables = await test.database.query<{ name: string; announces: boolean }>(
      `SELECT c.relname AS name, (SELECT bit_or(t.tgtype::int) & 60 = 60 FROM pg_trigger t WHERE t.tgrelid = c.oid
         AND t.tgname LIKE 'announce%') IS TRUE AS announces
       FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
    );
    // Views read from these tables.
    const text = statements
      .join('\n')
      .replaceAll('proved_account', 'linked_account')
      .replaceAll(/\bscore\b/g, 'score_version, score_evidence');
    const read = tables.filter(({ name }) => new RegExp(`(FROM|JOIN|,)\\s+${name}\\b`, 'i').test(text));
    expect(read.length).toBeGreaterThanOrEqual(10);
    const silent = read.filter(({ announces }) => !announces).map(({ name }) => name);
    expect(silent.sort()).toEqual([...FOLLOWING.keys()].sort());
  });

  it('depend on every column of a listing that may be shown', async () => {
    const rows = await test.database.query<{ column: string; triggers: string }>(
      `SELECT a.attname AS column, (SELECT string_agg(pg_get_triggerdef(t.oid), ' ') FROM pg_trigger t
         WHERE t.tgrelid = a.attrelid AND t.tgname LIKE 'announce%') AS triggers
       FROM pg_attribute a WHERE a.attrelid = 'listing'::regclass AND a.attnum > 0 AND NOT a.attisdropped`,
    );
    // Columns that no page shows: the raw host owner id, the import source, and who registered it; `verified`, derived
    // from them, is shown.
    const unshown = ['host_owner_id', 'identity_doubt', 'imported', 'registered_by'];

    const unsaid = rows.filter(
      ({ column, triggers }) => !new RegExp(`old\\.${column}\\b`, 'i').test(triggers),
    );

    expect(unsaid.map(({ column }) => column).sort()).toEqual(unshown);
  });

  it('depend on the current time only in known statements', async () => {
    const views = await test.database.query<{ name: string; text: string }>(
      "SELECT viewname AS name, definition AS text FROM pg_views WHERE schemaname = 'public'",
    );
    const momentary = views.filter(({ text }) => TIME_DEPENDENT_SQL.test(text)).map(({ name }) => name);

    expect(momentary).toContain('proved_account');
    expect(momentary.filter((name) => !TIME_DEPENDENT_SQL.test(name))).toEqual([]);
  });
});

describe('a change', () => {
  it('is reported when it is committed, before its writer continues', async () => {
    const [row] = await test.database.query<{ id: string }>('SELECT subject_id AS id FROM listing LIMIT 1');
    const id = row?.id ?? '';
    const fork = 'UPDATE listing SET forks = coalesce(forks, 0) + 1 WHERE subject_id = $1';

    expect(await told(() => writing.query(fork, [id]))).toEqual([id]);
    const within = await told(() =>
      inTransaction(writing, async (connection) => {
        await connection.query(fork, [id]);
        expect(heard).toEqual([]);
      }),
    );
    expect(within).toEqual([id]);
  });

  it.each(['stars = coalesce(stars, 0) + 1', 'last_commit_at = now()'])(
    'that moves a listing in an order names the listing and the ranking: %s',
    async (change) => {
      const [row] = await test.database.query<{ id: string }>('SELECT subject_id AS id FROM listing LIMIT 1');
      const id = row?.id ?? '';

      const said = await told(() =>
        writeListings(writing, `UPDATE listing SET ${change} WHERE subject_id = $1`, [id]),
      );

      expect(said.sort()).toEqual([id, `ranking,${id}`]);
    },
  );

  it.each(['license = lower(license)', "tags = '{x}'", "kind = 'plugin'"])(
    'of what lists are filtered by is one of everything: %s',
    async (change) => {
      const sql = `UPDATE listing SET ${change} WHERE name = 'Changelog Agent'`;

      expect(await told(() => writeListings(writing, sql))).toContain('*');
    },
  );

  it.each([
    ['of no row', "UPDATE creator SET handle = 'x' WHERE handle = 'nobody'", []],
    ['of nothing in it', 'UPDATE creator SET handle = handle', []],
    ['that adds nothing', 'INSERT INTO delisted_name SELECT * FROM delisted_name', []],
    ['of one creator', "UPDATE creator SET handle = 'x' WHERE handle = 'maker-1'", ['*']],
    ['of all creators', "UPDATE creator SET display_name = handle || '!'", ['*']],
    ['of what totals count', "UPDATE listing SET verified = NOT verified WHERE name = 'Tool 1'", ['*']],
  ])('%s is reported only once', async (_kind, sql, expected) => {
    expect(await told(() => writing.query(sql))).toEqual(expected);
  });

  it('of many subjects in one transaction becomes one of everything', async () => {
    const changes = await told(() =>
      inTransaction(writing, async (connection) => {
        for (let round = 0; round < 5; round += 1)
          await writeListings(connection, 'UPDATE listing SET stars = coalesce(stars, 0) + 1');
      }),
    );

    expect(changes.length).toBeLessThanOrEqual(101);
    expect(changes.filter((each) => each === '*')).toEqual(['*']);
    expect(changes.at(-1)).toBe('*');
  });

  it('of scores names its subjects, and the ranking where that moves', async () => {
    const rows = await test.database.query<{ id: string }>(
      'SELECT id FROM subject WHERE current_version IS NOT NULL ORDER BY id LIMIT 3',
    );
    const ids = rows.map(({ id }) => id);

    const [scored] = await told(() =>
      writing.query(
        "UPDATE subject SET current_version = current_version + interval '1 ms' WHERE id = ANY ($1::uuid[])",
        [ids],
      ),
    );
    const ranked = await told(() =>
      writing.query(
        'UPDATE listing_rank SET trust = 12.5, confidence = 1, score_version = now() WHERE subject_id = $1',
        [ids[0]],
      ),
    );

    const judged = await told(() =>
      writing.query(
        "UPDATE listing_rank SET verdict = 'warning', reasons = '{archived}' WHERE subject_id = $1",
        [ids[0]],
      ),
    );

    expect(scored?.split(',').sort()).toEqual(ids);
    expect([[], [`ranking,${ids[0]}`]]).toContainEqual(ranked);
    // The counts do not change.
    expect(judged).toEqual(ranked);
  });
});

/** Every public read of stored data, with a URL that finds something. */
const PUBLIC_READS = [
  ...[
    '/api/agents',
    '/api/agents?q=notes',
    '/api/agents?sort=stars&kind=skill&tag=x',
    '/api/identity/acme',
    '/api/subjects?subject=acme/changelog-agent',
  ],
  ...[
    '/',
    '/agents',
    '/agents?q=notes',
    '/agents?q=no/one',
    '/suggest?q=no',
    '/a/acme/changelog-agent',
    '/s/acme/changelog-agent/write-notes',
    '/c/acme',
    '/u/x/acmerobotics',
  ],
  ...[
    '/m/x/nobody',
    '/a/acme/changelog-agent.git',
    '/c/nobody',
    '/badge/agent/acme%2Fchangelog-agent.svg',
    '/a/gone/away',
  ],
];
