// Compares the duration of an import, including scores, with COPY of all resulting rows into the same tables and
// indexes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../server/src/platform/database/connect.ts';
import { migrateUp } from '../server/src/platform/database/migrate.ts';
import { openEmbeddedPostgres } from '../server/src/platform/embedded-postgres/embedded-postgres.ts';
import { KINDS, makeListings } from './more-listings.mjs';

const COMMAND_LINE = fileURLToPath(new URL('../server/dist/command-line/cli.js', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../server/sample', import.meta.url));
const FOLDER = process.env.LISTINGS_DIR ?? SAMPLE;
/** Numbers of listings to import, one import after the other, each into its own database; 0 imports the whole folder. */
const SIZES = (process.env.LISTINGS ?? '0').split(',').map(Number);
const TICKS_PER_SECOND = 100;
const LOOK_EVERY_MS = 50;

/** Returns one line per size: seconds of the import, seconds of COPY, their ratio, and the peak memory of the import. */
export async function importBench() {
  const rows = [];
  for (const size of SIZES) rows.push(await measure(size));
  return rows;
}

async function measure(size) {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-bench-'));
  // As root, the embedded database runs as another user, who must be able to traverse the folder.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  const postgres = await openEmbeddedPostgres(dataDir);
  try {
    await migrateUp(postgres.url);
    const files = await filesOf(size, folder);
    const database = connect(postgres.url, { statementTimeoutMs: 3_600_000 });
    try {
      const imported = await importAll(files, { DATA_DIR: dataDir }, folder, () => postgresTicks(dataDir));
      const copied = await copyAll(database, folder, () => postgresTicks(dataDir));
      return { size, ...imported, ...copied, ratio: imported.seconds / copied.copySeconds };
    } finally {
      await database.close();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function filesOf(size, folder) {
  if (size === 0) return KINDS.map((kind) => join(FOLDER, `${kind}.ndjson`));
  const made = join(folder, 'made');
  await mkdir(made);
  return makeListings(FOLDER, size, made);
}

/** Runs the import command in its own process. */
async function importAll(files, environment, cwd, ticks) {
  const before = await ticks();
  const startedAt = performance.now();
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [COMMAND_LINE, 'import', ...files], { env, cwd, stdio: 'inherit' });
  let memory = 0;
  let own = 0;
  const looking = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    memory = Math.max(memory, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    own = Math.max(own, await ticksOf(child.pid));
  }, LOOK_EVERY_MS);
  const [code] = await once(child, 'exit');
  clearInterval(looking);
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = { importer: own / TICKS_PER_SECOND, postgres: ((await ticks()) - before) / TICKS_PER_SECOND };
  return { seconds, memoryMb: Math.round(memory / 1024), cpu };
}

/**
 * Creates a twin of every table that has rows, with the same columns, checks and indexes, and fills it by COPY from a file.
 */
async function copyAll(database, folder, ticks) {
  const exported = join(folder, 'rows');
  await mkdir(exported);
  await chmod(exported, 0o777);
  await database.query('CREATE SCHEMA twin');
  const tables = await filledTables(database);
  for (const table of tables) {
    const columns = await columnsOf(database, table);
    await database.query(`COPY ${table} (${columns}) TO '${join(exported, table)}'`);
    await database.query(`CREATE TABLE twin.${table} (LIKE ${table} INCLUDING ALL)`);
  }
  await database.query('CHECKPOINT');
  const before = await ticks();
  const startedAt = performance.now();
  for (const table of tables) {
    const columns = await columnsOf(database, table);
    await database.query(`COPY twin.${table} (${columns}) FROM '${join(exported, table)}'`);
  }
  const copySeconds = (performance.now() - startedAt) / 1000;
  return { copySeconds, copyCpu: ((await ticks()) - before) / TICKS_PER_SECOND, tables: tables.length };
}

async function filledTables(database) {
  const tables = await database.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const filled = [];
  for (const { name } of tables) {
    const [row] = await database.query(`SELECT EXISTS (SELECT FROM ${name}) AS some`);
    if (row.some) filled.push(name);
  }
  return filled;
}

async function columnsOf(database, table) {
  const rows = await database.query(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  return rows[0].names;
}

/** Returns the processor time of the server and all its processes, including those that have ended. */
async function postgresTicks(dataDir) {
  const [main] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  let ticks = await ticksOf(main, { withEnded: true });
  for (const pid of await childrenOf(main)) ticks += await ticksOf(pid);
  return ticks;
}

async function childrenOf(parent) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => statOf(pid)));
  return pids.filter((_, place) => stats[place]?.[1] === parent);
}

async function ticksOf(pid, { withEnded = false } = {}) {
  const stat = await statOf(pid);
  if (stat === null) return 0;
  const [user, system, endedUser, endedSystem] = stat.slice(11, 15).map(Number);
  return user + system + (withEnded ? endedUser + endedSystem : 0);
}

/** Returns the fields of a process after its name: state, parent, …; null if the process is gone. */
async function statOf(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const row of await importBench()) console.log(JSON.stringify(row));
}
