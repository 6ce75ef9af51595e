// Compares the time from the start of a server to its first 200 of /readyz, on an existing database, with the start of
// PostgreSQL alone on the same folder.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  SERVER_SETTINGS,
  startCluster,
  stopCluster,
} from '../server/src/platform/embedded-postgres/cluster.ts';
import { findMachine, settingsFor } from '../server/src/platform/embedded-postgres/embedded-postgres.ts';
import { prepareCluster } from '../server/src/platform/embedded-postgres/prepare-cluster.ts';
import { withServerOn } from './bench-server.mjs';
import { endLater } from './ending.mjs';
import { duration, middle } from './figures.ts';
import { tell } from './progress.mjs';

const STARTS = Number(process.env.STARTS ?? 5);
const MOST_MORE_MS = 1_000;
const ASK_EVERY_MS = 2;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks the server whether it is ready; false if nothing answers. */
function isReady(port) {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
  });
}

/** Measures the milliseconds from the start of the process to the first 200 of /readyz, then stops the server. */
async function startServerOnce(folder) {
  const port = await freePort();
  const startedAt = performance.now();
  const looking = (async () => {
    while (!(await isReady(port))) await sleep(ASK_EVERY_MS);
    return performance.now() - startedAt;
  })();
  return withServerOn(folder, { PORT: String(port) }, () => looking);
}

/** Measures the milliseconds that pg_ctl needs to start PostgreSQL with the server's settings. */
async function startPostgresOnce(folder) {
  const cluster = await prepareCluster(join(folder, 'data'));
  const machine = settingsFor(await findMachine(cluster.folder));
  const startedAt = performance.now();
  await startCluster(cluster, { ...SERVER_SETTINGS, ...machine });
  const took = performance.now() - startedAt;
  await endLater(() => stopCluster(cluster))();
  return took;
}

/** Measures starts in turns, each after a clean stop, and returns the lines of their medians. */
export async function measure() {
  const folder = process.env.BENCH_FOLDER;
  const [servers, clusters] = [[], []];
  for (let place = 1; place <= STARTS; place += 1) {
    tell(`start ${place} of ${STARTS}`);
    clusters.push(await startPostgresOnce(folder));
    servers.push(await startServerOnce(folder));
  }
  const [server, postgres] = [middle(servers), middle(clusters)];
  const more = server - postgres;
  return [
    {
      work: `start with an existing database until /readyz, median of ${STARTS}`,
      against: "PostgreSQL's own start",
      measured: `${duration(more)} more (${duration(server)}, ${duration(postgres)})`,
      target: `≤ ${duration(MOST_MORE_MS)} more`,
      met: more <= MOST_MORE_MS,
    },
  ];
}
