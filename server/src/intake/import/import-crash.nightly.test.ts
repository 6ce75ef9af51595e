import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import {
  type EmbeddedWorkspace,
  type PreparedFolder,
  prepareFolder,
} from '../../../testing/embedded-workspace.ts';
import { createImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { registryState } from '../../../testing/import/registry-state.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { connect, type Database } from '../../platform/database/connect.ts';
import { migrateUp } from '../../platform/database/migrate.ts';
import { readPostmaster } from '../../platform/embedded-postgres/server-processes.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { importFiles, sampleFiles } from './import-files.ts';

let prepared: PreparedFolder;
let work: EmbeddedWorkspace;

beforeAll(async () => {
  prepared = await prepareFolder();
});
afterAll(() => prepared.remove());
beforeEach(async () => {
  work = await prepared.workspace();
  await work.usePrepared();
});
afterEach(() => work.close());

it('resumes after crashes of PostgreSQL, whichever commits were lost, and ends with the same registry', async () => {
  const whole = await createImportWorkspace();
  const postgres = await work.open();
  await migrateUp(postgres.url);
  const database = connect(postgres.url);
  try {
    for (const each of [whole.database, database]) await stopClock(each);
    await whole.run(sampleFiles());

    let brokenOff = 0;
    for (const [table, rows] of CRASHES) {
      const ended = importHere(database).catch(() => {
        brokenOff += 1;
      });
      await untilThere(postgres.url, table, rows);
      await crash();
      await ended;
      await postgres.revive();
    }

    expect(brokenOff).toBeGreaterThan(0);
    expect((await importHere(database)).finished).toBe(true);
    expect(await registryState(database)).toEqual(await registryState(whole.database));
  } finally {
    await database.close();
    await whole.close();
  }
});

/** Numbers of rows at which PostgreSQL crashes, each later in the import. */
const CRASHES = sampleUnlessNightly<readonly [table: string, rows: number]>(
  [
    ['creator', 1],
    ['creator', 200],
    ['listing', 120],
    ['listing', 300],
    ['artifact', 100],
  ],
  (_, index) => index % 2 === 0,
);

async function stopClock(database: Database): Promise<void> {
  await replaceClock(database);
  await setClock(database, '2026-11-21T00:00:00Z');
}

function importHere(database: Database) {
  return importFiles(database, embeddedBackend, sampleFiles(), {
    rejectsPath: join(work.root, 'rejects.ndjson'),
    output: { write: () => undefined },
  });
}

async function untilThere(url: string, table: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const count = async () => (await client.query(`SELECT count(*)::int AS rows FROM ${table}`)).rows[0].rows;
  while ((await count()) < rows) await wait(5);
  await client.end();
}

/** Kills PostgreSQL, so that data that is only in its memory is lost. It later restarts on the same port. */
async function crash(): Promise<void> {
  process.kill(readPostmaster(work.folder)?.pid ?? 0, 'SIGKILL');
  await work.untilGone();
}
