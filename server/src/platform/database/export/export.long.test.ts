import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { openDatabaseProxy } from '../../../../testing/database-proxy.ts';
import {
  credentialOf,
  giveCredits,
  makeAccount,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../../../../testing/factories.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
import { callOperation } from '../../../../testing/operations/call-operation.ts';
import { TIMINGS } from '../../../../testing/operations/operation-harness.ts';
import { operationParts, requestFor } from '../../../../testing/operations/operation-parts.ts';
import { createStandIn } from '../../../../testing/stand-ins/stand-in-backend.ts';
import { verifyLedger } from '../../../billing/ledger/verify.ts';
import { importFiles, sampleFiles } from '../../../intake/import/import-files.ts';
import type { Connection } from '../connect.ts';
import { pendingMigrations } from '../migrate.ts';
import { readExport } from './export-file.ts';
import { restoreExport } from './restore-export.ts';
import { writeExport } from './write-export.ts';

/**
 * Export that the last version before the baseline wrote (migration 0074): the calls, scores and registrations of
 * `server/testing/upgrade/use-everything.ts`, the people of the console, an open run and a delisted listing.
 */
/** Tables and columns of that version that only repeated what listings say. Later migrations dropped them. */
const DERIVED_TABLES = ['search_change', 'search_match', 'search_spelling', 'search_total'];
const DERIVED_COLUMNS = ['listing_rank.license', 'listing_rank.marks', 'listing_order.marks'];
const FORMER = fileURLToPath(new URL('../../../../testing/upgrade/export-0074.gz', import.meta.url));

const backend = createStandIn();
let folder: string;
let file: string;
let full: TestDatabase;
let account: TestAccount;
let listing: TestListing;

/** Creates a database with the sample, an account and a settled call, and an export of it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-export-'));
  file = join(folder, 'whole.gz');
  full = await createTestDatabase();
  await importFiles(full.database, backend, sampleFiles(), { rejectsPath: join(folder, 'rejects.ndjson') });
  account = await makeAccount(full.database);
  await giveCredits(full.database, account.accountId, 1_000);
  listing = await makeListing(full.database);
  await call(full, 'kept');
  await writeExport(full.url, file);
});
afterAll(async () => {
  await full.close();
  await rm(folder, { recursive: true });
});

function call({ database }: TestDatabase, idempotencyKey: string) {
  const parts = operationParts(database, { backend, timings: TIMINGS });
  return callOperation(parts, credentialOf(account.key), requestFor(listing.repository, { idempotencyKey }));
}

async function emptyDatabase(): Promise<TestDatabase> {
  const target = await createTestDatabase({ empty: true });
  onTestFinished(() => target.close());
  return target;
}

const names = (connection: Connection, kinds: string) =>
  connection.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = ANY ($1) ORDER BY 1`,
    [[...kinds]],
  );

/** Tables of the change feed, which an export leaves out: positions of one cluster mean nothing in another. */
const FEED = ['change', 'change_watermark'];

/** Returns the number of rows of each table and view, with a checksum of their contents. */
async function contents(connection: Connection): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { name } of await names(connection, 'rv')) {
    if (FEED.includes(name)) continue;
    const row = name === 'schema_migration' ? 't.name' : 't::text';
    [found[name]] = await connection.query(
      `SELECT count(*) AS rows, md5(string_agg(${row}, ';' ORDER BY ${row} COLLATE "C")) AS sum FROM ${name} t`,
    );
  }
  for (const { name } of await names(connection, 'S'))
    [found[name]] = await connection.query(`SELECT last_value, is_called FROM ${name}`);
  return found;
}

/** Returns the columns and rows of each table in an export, the rows as lines of COPY. */
async function rowsIn(path: string): Promise<Map<string, { columns: readonly string[]; rows: string[] }>> {
  const tables = new Map<string, { columns: readonly string[]; rows: string[] }>();
  let part = { table: '', columns: [] as readonly string[] };
  let text: Buffer[] = [];
  for await (const piece of readExport(path)) {
    if (Buffer.isBuffer(piece)) text.push(piece);
    else if ('table' in piece) part = piece;
    else if ('rows' in piece) {
      const rows = Buffer.concat(text).toString().split('\n').slice(0, -1);
      tables.set(part.table, { columns: part.columns, rows });
      text = [];
    }
  }
  return tables;
}

const triggers = (connection: Connection) =>
  connection.query(
    'SELECT tgrelid::regclass::text AS table, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2',
  );

describe('an export, restored into an empty database', () => {
  it('is the same in every table, view and sequence, with its rules in force', async () => {
    const target = await emptyDatabase();

    const summary = await restoreExport(target.url, file);

    const [was, is] = [await contents(full.database), await contents(target.database)];
    expect(is).toEqual(was);
    expect(Object.keys(was).length).toBeGreaterThan(40);
    expect(summary.rows).toBeGreaterThan(2_000);
    expect(await triggers(target.database)).toEqual(await triggers(full.database));
    await expect(target.database.query("UPDATE ended_run SET operation = 'x'")).rejects.toThrow();
    expect(await verifyLedger(target.database)).toMatchObject({ bad: [] });
  });

  itAtNight('replays a settled call with the same answer, and takes new ones', async () => {
    const target = await emptyDatabase();
    await restoreExport(target.url, file);

    const replays = [await call(full, 'kept'), await call(target, 'kept')];

    expect(replays[0]).toMatchObject({ kind: 'replay' });
    expect(JSON.stringify(replays[1])).toBe(JSON.stringify(replays[0]));
    expect(await call(target, 'new')).toMatchObject({ kind: 'settled' });
    expect(await verifyLedger(target.database)).toMatchObject({ bad: [] });
  });

  it('of the last version before the baseline has all of its rows, and is brought up to date', async () => {
    const target = await emptyDatabase();

    await restoreExport(target.url, FORMER);

    const again = join(folder, 'again.gz');
    await writeExport(target.url, again);
    const [was, is] = [await rowsIn(FORMER), await rowsIn(again)];
    for (const [table, { columns: all, rows: whole }] of was) {
      if (DERIVED_TABLES.includes(table)) continue;
      const now = is.get(table);
      const columns = all.filter((column) => !DERIVED_COLUMNS.includes(`${table}.${column}`));
      const rows = whole.map((row) =>
        columns.map((column) => row.split('\t')[all.indexOf(column)]).join('\t'),
      );
      expect(now?.columns, table).toEqual(expect.arrayContaining([...columns]));
      const places = columns.map((column) => now?.columns.indexOf(column) ?? -1);
      const found = now?.rows.map((row) => places.map((place) => row.split('\t')[place]).join('\t'));
      expect(found?.sort(), table).toEqual(rows.sort());
    }
    expect([...was.values()].filter(({ rows }) => rows.length > 0).length).toBeGreaterThan(35);
    expect(await pendingMigrations(target.url)).toEqual([]);
    expect(await verifyLedger(target.database)).toMatchObject({ bad: [] });
  });
});

describe('an export', () => {
  it('can be read by its owner only, since it holds hashes of keys', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is a consistent snapshot: calls that settle while it is written are completely in it or not at all', async () => {
    const target = await emptyDatabase();
    const during = join(folder, 'during.gz');
    const settled: unknown[] = [];
    const onTable = async (table: string) => {
      settled.push((await call(full, `during ${table}`)).kind);
    };

    await writeExport(full.url, during, { onTable });
    await restoreExport(target.url, during);

    expect(settled.filter((kind) => kind === 'settled').length).toBeGreaterThan(5);
    expect(await verifyLedger(target.database)).toMatchObject({ bad: [] });
    expect(await target.database.query('SELECT FROM ended_run')).toHaveLength(1);
  });

  it('never replaces a file', async () => {
    const before = await stat(file);

    await expect(writeExport(full.url, file)).rejects.toThrow('already exists');

    expect(await stat(file)).toEqual(before);
  });

  it('into a folder that is not there, or under a file, is refused with what to do', async () => {
    await expect(writeExport(full.url, join(folder, 'none', 'whole.gz'))).rejects.toThrow(
      /none\/whole\.gz cannot be written \(ENOENT\): create its folder, or specify a file in an existing one\. Nothing was exported\.$/,
    );
    await expect(writeExport(full.url, join(file, 'whole.gz'))).rejects.toThrow(
      /cannot be written \(ENOTDIR\): its parent is not a folder, specify another file\. Nothing was exported\.$/,
    );
  });

  it('that is interrupted leaves no file', async () => {
    const stop = new AbortController();
    const path = join(folder, 'interrupted.gz');

    await expect(
      writeExport(full.url, path, { signal: stop.signal, onTable: () => stop.abort() }),
    ).rejects.toThrow('aborted');

    expect((await readdir(folder)).filter((name) => name.startsWith('interrupted'))).toEqual([]);
  });
});

describe('nothing is restored', () => {
  /** Writes a modified copy of the export. */
  async function changed(change: (text: string) => string): Promise<string> {
    const path = join(folder, 'changed.gz');
    const text = change(gunzipSync(await readFile(file)).toString('latin1'));
    await writeFile(path, gzipSync(Buffer.from(text, 'latin1'), { level: 1 }));
    return path;
  }

  async function spoilt(spoil: (bytes: Buffer) => Buffer): Promise<string> {
    const path = join(folder, 'spoilt.gz');
    await writeFile(path, spoil(Buffer.from(await readFile(file))));
    return path;
  }

  function withOneWrongBit(bytes: Buffer): Buffer {
    const middle = bytes.length >> 1;
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    return bytes;
  }

  const UNUSABLE: [what: string, make: () => Promise<string>, reason: RegExp][] = [
    ['of half a file', () => spoilt((bytes) => bytes.subarray(0, bytes.length / 2)), /not a complete export/],
    ['of a file without its last byte', () => spoilt((bytes) => bytes.subarray(0, -1)), /not a complete/],
    ['of a file with one wrong bit', () => spoilt(withOneWrongBit), /not a complete export/],
    [
      'of a file without its end',
      () => changed((text) => text.replace('{"end":true}\n', '')),
      /its end is missing/,
    ],
    ['of another file', () => changed(() => '{"listings": []}\n'), /it has no export header/],
    [
      'of a later form',
      () => changed((text) => text.replace('"version":1', '"version":2')),
      /its version is 2/,
    ],
    [
      'of a later schema',
      () => changed((text) => text.replace('"migrations":[', '"migrations":["9999-later",')),
      /made by a version with the migrations 9999-later/,
    ],
    [
      'of a schema long before the baseline',
      () => changed((text) => text.replace('"migrations":[', '"migrations":["0059-primary-timeline",')),
      /made by a version whose last migration is 0059-primary-timeline: restore it with the version whose last migration is 0074-running-servers, and export it again/,
    ],
    ['of no file', async () => join(folder, 'none.gz'), /cannot be read/],
  ];
  /** Files that every run tries: one that is damaged, and one of a schema that cannot be restored. */
  const SAMPLE = ['of half a file', 'of a later schema'];

  it.each(sampleUnlessNightly(UNUSABLE, ([what]) => SAMPLE.includes(what)))(
    '%s',
    async (_what, make, reason) => {
      const target = await emptyDatabase();

      await expect(restoreExport(target.url, await make())).rejects.toThrow(reason);

      expect(await names(target.database, 'r')).toEqual([]);
    },
  );

  itAtNight(
    'where rows break a rule of the database: the table, the rule and what to do are named',
    async () => {
      const target = await emptyDatabase();
      const handle = /"table":"account".*?\n.*?\n([^\n]+\n)/s;
      // Repeats a row of the table and increases the byte count accordingly.
      const twice = await changed((text) => {
        const [, row = ''] = handle.exec(text) ?? [];
        const at = text.indexOf(row);
        const head = text
          .slice(0, at)
          .replace(/\{"bytes":(\d+)\}\n$/, (_, n) => `{"bytes":${Number(n) + row.length}}\n`);
        return head + row + text.slice(at);
      });

      await expect(restoreExport(target.url, twice)).rejects.toThrow(
        /changed\.gz cannot be restored, because its rows do not fit the database \(duplicate key .*; table account, constraint account_pkey\): .* Nothing was restored: create another export/,
      );

      expect(await target.database.query('SELECT FROM account')).toEqual([]);
      expect(await restoreExport(target.url, file)).toMatchObject({ rows: expect.any(Number) });
    },
  );

  const BREAKS: [where: string, statement: string, sentence: RegExp][] = [
    [
      'in the middle of a table',
      'COPY "listing"',
      /^The database aborted the restore of .*: .* Nothing was restored: check that PostgreSQL runs/,
    ],
    [
      'at its commit',
      'COMMIT',
      /^The database did not confirm that .* is restored: .* Restore it again: if it is restored, that is refused/,
    ],
  ];

  itAtNight.each(BREAKS)(
    'and the error says so, if the connection breaks %s',
    async (_where, statement, sentence) => {
      const target = await emptyDatabase();
      const line = await openDatabaseProxy(target.url);
      onTestFinished(() => line.close());
      const onTable = (table: string) => {
        if (table === 'account') void line.breakAt(statement, { direction: 'request', afterBytes: 3 });
      };

      await expect(restoreExport(line.url, file, { onTable })).rejects.toThrow(sentence);
    },
  );

  it('into a database that holds anything', async () => {
    const target = await createTestDatabase();
    onTestFinished(() => target.close());
    await makeAccount(target.database);
    const before = await contents(target.database);

    await expect(restoreExport(target.url, file)).rejects.toThrow(/not empty \(.*account/);

    expect(await contents(target.database)).toEqual(before);
  });

  it('where a row does not fit its table, or it is interrupted: then it can be done again', async () => {
    const target = await emptyDatabase();
    const odd = await changed((text) => text.replace(/("sequences":\[\{"name":")/, '$1no_'));
    const stop = new AbortController();
    const onTable = () => stop.abort();

    await expect(restoreExport(target.url, odd)).rejects.toThrow('no_');
    await expect(restoreExport(target.url, file, { signal: stop.signal, onTable })).rejects.toThrow(
      'aborted',
    );

    expect(await target.database.query('SELECT FROM account')).toEqual([]);
    expect(await restoreExport(target.url, file)).toMatchObject({ rows: expect.any(Number) });
  });
});
