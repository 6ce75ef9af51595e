import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect } from '../server/src/platform/database/connect.ts';
import { openEmbeddedPostgres } from '../server/src/platform/embedded-postgres/embedded-postgres.ts';
import { startServer } from '../server/testing/server-process.ts';
import { endChild } from './child.mjs';
import { endLater } from './ending.mjs';

const COMMAND_LINE = fileURLToPath(new URL('../server/dist/command-line/cli.js', import.meta.url));
/** Folder of listings in the format of `npm run import`. Without it, the sample is used. */
const LISTINGS = process.env.LISTINGS_DIR && resolve(process.env.LISTINGS_DIR);
/**
 * Settings of the benchmarked server: those of `npm start`, but without rate limits and with a longer wait for metered calls.
 */
const SETTINGS = {
  NODE_OPTIONS: '--max-semi-space-size=64',
  TIMINGS_SCALE: '1',
  METERED_WAIT_MS: '20000',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
  RATE_LIMIT_METERED_PER_MINUTE: '0',
};

/** Runs the work with a temporary folder for one database, then removes the folder. */
export async function withFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-bench-'));
  const remove = endLater(() => rm(folder, { recursive: true, force: true }));
  try {
    // As root, the embedded database runs as another user, who must be able to traverse the folder.
    await chmod(folder, 0o711);
    return await work(folder);
  } finally {
    await remove();
  }
}

/** Starts the server on the data of a folder, and stops it after the work. */
export async function withServerOn(folder, settings, work) {
  const dataDir = join(folder, 'data');
  const environment = { DATA_DIR: dataDir, ...SETTINGS, ...settings };
  const starting = startServer(environment, { entry: 'real', cwd: folder });
  const end = endLater(async () => (await starting).end('SIGTERM'));
  try {
    return await work(await starting, dataDir);
  } finally {
    await end();
  }
}

/** Runs the work with a connection to the database of a folder; a server may run on the same database. */
export async function withDatabase(dataDir, work) {
  const postgres = await openEmbeddedPostgres(dataDir);
  const database = connect(postgres.url, { statementTimeoutMs: 3_600_000 });
  const close = endLater(async () => {
    await database.close();
    await postgres.stop();
  });
  try {
    return await work(database, postgres.url);
  } finally {
    await close();
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_TRIES = 20;

/**
 * Runs a statement that locks whole tables. Tries again if autovacuum holds one for longer than a session of the server waits
 * for a lock.
 */
export async function withTableLocks(database, statement) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.query(statement);
    } catch (error) {
      if (tries === LOCK_TRIES || (error.original ?? error).code !== LOCK_NOT_AVAILABLE) throw error;
    }
  }
}

/** Vacuums and analyses all tables. */
export function vacuum(database) {
  return withTableLocks(database, 'VACUUM ANALYZE');
}

/**
 * Creates the database of a folder, with the sample, or with the first `most` listings of LISTINGS_DIR. Returns the result
 * of `look` on it.
 */
export function fillFolder(folder, most = Number.POSITIVE_INFINITY, look = () => undefined) {
  return withServerOn(folder, {}, async (_server, dataDir) => {
    if (LISTINGS) await importListings(folder, most);
    return withDatabase(dataDir, async (database) => {
      await vacuum(database);
      return look(database);
    });
  });
}

/**
 * Runs the work with a server on the benchmark's data. The server uses the folder that BENCH_FOLDER names, which was filled
 * before; without it, a temporary folder is filled and removed afterwards.
 */
export function withServer(settings, work) {
  const shared = process.env.BENCH_FOLDER;
  if (shared) return withServerOn(shared, settings, work);
  return withFolder(async (folder) => {
    await fillFolder(folder);
    return withServerOn(folder, settings, work);
  });
}

/** Runs the work with a server and a connection to its database. */
export function withServerAndDatabase(settings, work) {
  return withServer(settings, (server, dataDir) =>
    withDatabase(dataDir, (database, url) => work(server.baseUrl, url, database, server)),
  );
}

async function importListings(folder, most) {
  const files = (await readdir(LISTINGS)).filter((name) => name.endsWith('.ndjson'));
  const paths = files
    .filter((name) => ['listings', 'creators', 'artifacts', 'relations'].includes(name.slice(0, -7)))
    .map((name) => join(LISTINGS, name));
  if (Number.isFinite(most)) {
    const place = paths.findIndex((path) => path.endsWith('listings.ndjson'));
    paths[place] = await firstLines(paths[place], most, join(folder, 'listings.ndjson'));
  }
  await runCommand(folder, ['import', ...paths]);
}

/** Runs a command of the server on a folder to its end. */
export async function runCommand(folder, args) {
  const env = { ...process.env, DATA_DIR: join(folder, 'data') };
  const options = { env, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
  const child = spawn(process.execPath, [COMMAND_LINE, ...args], options);
  const stop = endLater(() => endChild(child));
  const [code] = await once(child, 'exit');
  await stop();
  if (code !== 0) throw new Error(`the ${args[0]} ended with ${code}`);
}

async function firstLines(path, most, to) {
  const lines = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (lines.length >= most) break;
    lines.push(line);
  }
  await writeFile(to, `${lines.join('\n')}\n`);
  return to;
}
