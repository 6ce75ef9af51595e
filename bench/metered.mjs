// Compares the metered calls per second of a server with the calls per second of a minimal ledger that does the same work on
// the same PostgreSQL.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vacuum, withDatabase, withServer, withServerOn } from './bench-server.mjs';
import { startChild } from './child.mjs';
import { duration, rate } from './figures.ts';
import { inTurns, withLoad } from './in-turns.mjs';
import { agentIds } from './listed.mjs';
import { makePayers } from './make-payers.mjs';
import { pgbenchOrders } from './pgbench.mjs';
import { tell } from './progress.mjs';
import { REFERENCE_SCHEMA } from './reference-ledger.mjs';
import { atLeast, atMost } from './table.ts';

const SECONDS = Number(process.env.SECONDS ?? 4);
const ACCOUNTS = Number(process.env.ACCOUNTS ?? 1_000);
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 64);
const REFERENCE_CLIENTS = 16;
const MOST_SUBJECTS = 1_000;

/** Returns the lines that compare the server with the reference ledger; `driven` names the client that calls the ledger. */
function againstReference(figure, how, driven) {
  const compared = (work, name, unit, one, other) => ({
    work,
    against: `${name}, ${how}`,
    one,
    other,
    unit,
  });
  const perSecond = (name) => figure(name, 'perSecond');
  return [
    atLeast(
      compared(
        `metered, ${ACCOUNTS} accounts, ${CONNECTIONS} connections`,
        `reference, ${REFERENCE_CLIENTS} clients`,
        rate,
        perSecond('many'),
        perSecond(`${driven}, many`),
      ),
      0.6,
    ),
    atLeast(
      compared(
        `metered, one account, ${CONNECTIONS} connections`,
        `reference on one account, ${REFERENCE_CLIENTS} clients`,
        rate,
        perSecond('one'),
        perSecond(`${driven}, one`),
      ),
      2,
    ),
    atMost(
      compared(
        'one metered call at a time, median',
        'reference, one client, mean',
        duration,
        figure('alone', 'median'),
        figure(`${driven}, alone`, 'mean'),
      ),
      8,
    ),
  ];
}

function linesOf(figure, pgbench) {
  const perSecond = (name) => figure(name, 'perSecond');
  const fresh = { unit: rate, other: perSecond('many') };
  return [
    ...againstReference(figure, 'pg', 'reference'),
    ...(pgbench ? againstReference(figure, 'pgbench', 'pgbench') : []),
    atLeast(
      { ...fresh, work: 'replay of a settled key', against: 'fresh call', one: perSecond('replay') },
      2,
    ),
    atLeast({ ...fresh, work: 'metered, HTTP backend', against: 'embedded', one: perSecond('http') }, 0.6),
  ];
}

/** Runs the work with two servers on one database: one with embedded scoring, one with an HTTP backend. */
function withBothServers(work) {
  const onBoth = (baseUrl, dataDir) => async (database, databaseUrl) => {
    const backend = startChild(fileURLToPath(new URL('./instant-backend.mjs', import.meta.url)));
    try {
      const { url } = await backend.tell({});
      const settings = { SCORING_URL: url, SCORING_TOKEN: 'of-no-use-elsewhere' };
      return await withServerOn(dirname(dataDir), settings, (remote) =>
        work({ baseUrl, remoteUrl: remote.baseUrl, database, databaseUrl }),
      );
    } finally {
      await backend.stop();
    }
  };
  return withServer({}, ({ baseUrl }, dataDir) => withDatabase(dataDir, onBoth(baseUrl, dataDir)));
}

/** Measures metered calls and returns the lines of their table. */
export function measure() {
  return withBothServers(async ({ baseUrl, remoteUrl, database, databaseUrl }) => {
    tell(`making ${ACCOUNTS} accounts`);
    const keys = await makePayers(database, ACCOUNTS);
    const subjects = await agentIds(baseUrl, MOST_SUBJECTS);
    await database.query(REFERENCE_SCHEMA);
    await vacuum(database);
    const fresh = {
      load: 'metered',
      baseUrl,
      keys,
      subjects,
      connections: CONNECTIONS,
      seconds: SECONDS,
    };
    const reference = {
      load: 'reference',
      databaseUrl,
      accounts: 1_000,
      clients: REFERENCE_CLIENTS,
      seconds: SECONDS,
    };
    const pgbench = await pgbenchOrders(databaseUrl, SECONDS, REFERENCE_CLIENTS);
    try {
      const orders = {
        many: fresh,
        'reference, many': reference,
        one: { ...fresh, keys: keys.slice(0, 1) },
        'reference, one': { ...reference, accounts: 1 },
        alone: { ...fresh, connections: 1 },
        'reference, alone': { ...reference, clients: 1 },
        replay: { ...fresh, replay: true },
        http: { ...fresh, baseUrl: remoteUrl },
        ...pgbench.orders,
      };
      const figure = await withLoad((run) => inTurns(run, orders));
      return linesOf(figure, 'pgbench, many' in orders);
    } finally {
      await pgbench.end();
      await database.query('DROP SCHEMA reference CASCADE');
    }
  });
}
