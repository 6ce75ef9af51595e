import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endLater } from './ending.mjs';
import { pgbenchScript } from './reference-ledger.mjs';

/**
 * Path of the program pgbench, which the project does not install. If it is not set, the reference ledger is measured with
 * this project's own clients only.
 */
const PROGRAM = process.env.PGBENCH;
/** Folder with reference-spread.pgb and reference-hot.pgb, which replace the scripts of the benchmark. */
const SCRIPTS = process.env.PGBENCH_SCRIPTS;

/**
 * Returns functions by name, each of which runs pgbench with prepared statements on the reference ledger: with all
 * clients on 1,000 accounts, with all clients on one account, and with one client on 1,000 accounts. Returns no functions
 * if PGBENCH is not set. `end` removes the scripts.
 */
export async function pgbenchOrders(databaseUrl, seconds, clients) {
  if (!PROGRAM) return { orders: {}, end: async () => undefined };
  if (!existsSync(PROGRAM)) throw new Error(`PGBENCH names ${PROGRAM}, where no program is`);
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-pgbench-'));
  const end = endLater(() => rm(folder, { recursive: true, force: true }));
  const script = async (name, accounts) => {
    if (SCRIPTS) return join(SCRIPTS, `${name}.pgb`);
    const path = join(folder, `${name}.pgb`);
    await writeFile(path, pgbenchScript(accounts));
    return path;
  };
  const [spread, hot] = [await script('reference-spread', 1_000), await script('reference-hot', 1)];
  const order = (file, count) => () => runPgbench(databaseUrl, file, count, seconds);
  const orders = {
    'pgbench, many': order(spread, clients),
    'pgbench, one': order(hot, clients),
    'pgbench, alone': order(spread, 1),
  };
  return { orders, end };
}

async function runPgbench(databaseUrl, file, clients, seconds) {
  const time = String(Math.max(1, Math.round(seconds)));
  const args = ['-n', '-M', 'prepared', '-c', String(clients), '-T', time, '-f', file, databaseUrl];
  const { stdout } = await promisify(execFile)(PROGRAM, args);
  const found = (pattern) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  return { perSecond: found(/^tps = ([\d.]+)/m), mean: found(/^latency average = ([\d.]+) ms/m) };
}
