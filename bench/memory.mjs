// Compares the memory of a server after many calls with its memory after few.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withServerAndDatabase } from './bench-server.mjs';
import { middle, whole } from './figures.ts';
import { withLoad } from './in-turns.mjs';
import { agentIds } from './listed.mjs';
import { makePayers } from './make-payers.mjs';
import { tell } from './progress.mjs';
import { atMost } from './table.ts';

const FEW = Number(process.env.MEMORY_FEW ?? 100_000);
const MANY = Number(process.env.MEMORY_MANY ?? 1_000_000);
const ACCOUNTS = 100;
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 64);
const MOST_SUBJECTS = 1_000;
/** Number of memory samples during the first FEW calls. Later samples are taken after equally many calls each. */
const LOOKS = 20;
/** Number of last samples whose median is used: a single sample depends on when the garbage collector ran. */
const LAST_LOOKS = 7;

/** Returns the resident memory of a process in megabytes, as `ps` reports it. */
async function residentMb(pid) {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

/**
 * Measures the resident memory of a server process under metered calls, without a forced garbage collection. Returns the lines
 * of the table.
 */
export function measure() {
  return withServerAndDatabase({}, async (baseUrl, _databaseUrl, database, { pid }) => {
    const keys = await makePayers(database, ACCOUNTS);
    const subjects = await agentIds(baseUrl, MOST_SUBJECTS);
    const count = Math.ceil(FEW / LOOKS);
    const order = { load: 'metered', baseUrl, keys, subjects, connections: CONNECTIONS, count };
    const looks = [];
    await withLoad(async (run) => {
      for (let made = count; made <= MANY; made += count) {
        const { perSecond } = await run(order);
        looks.push(await residentMb(pid));
        tell(`${whole(made)} of ${whole(MANY)} calls, ${whole(perSecond)}/s, ${whole(looks.at(-1))} MB`);
      }
    });
    const one = middle(looks.slice(-LAST_LOOKS));
    const other = middle(looks.slice(LOOKS - LAST_LOOKS, LOOKS));
    const unit = (megabytes) => `${whole(megabytes)} MB`;
    const work = `memory after ${whole(MANY)} calls`;
    return [atMost({ work, against: `after ${whole(FEW)}`, one, other, unit }, 1.1)];
  });
}
