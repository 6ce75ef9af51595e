// How many metered calls a server answers, against the smallest ledger that does the same on the same PostgreSQL.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { giveCredits, makeAccount } from '../server/testing/factories.ts';
import { withServerAndDatabase } from './bench-server.mjs';
import { REFERENCE_SCHEMA } from './reference-ledger.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 4);
const ACCOUNTS = Number(process.env.ACCOUNTS ?? 1_000);
const CONNECTIONS = 64;
const REFERENCE_CLIENTS = 16;
const MOST_SUBJECTS = 1_000;
const LISTED_AT_ONCE = 100;
const ACCOUNTS_AT_ONCE = 8;
const CREDITS = 1_000_000_000;

/** Secrets of accounts that can pay for everything. */
async function makePayers(database) {
  const keys = [];
  const makeSome = async () => {
    while (keys.length < ACCOUNTS) {
      const place = keys.push(null) - 1;
      const { accountId, key } = await makeAccount(database);
      await giveCredits(database, accountId, CREDITS);
      keys[place] = key.secret;
    }
  };
  await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, makeSome));
  return keys;
}

async function agentIds(baseUrl) {
  const ids = [];
  for (let offset = 0; ids.length < MOST_SUBJECTS; offset += LISTED_AT_ONCE) {
    const page = await fetch(`${baseUrl}/api/agents?limit=${LISTED_AT_ONCE}&offset=${offset}`);
    if (!page.ok) throw new Error(`${page.status} ${await page.text()}`);
    const { data } = await page.json();
    if (data.length === 0) break;
    ids.push(...data.filter(({ type }) => type === 'agent').map(({ id }) => id));
  }
  return ids;
}

/** The process that makes the load; `run` gives it one order and answers the figures. */
function startLoad() {
  const child = fork(fileURLToPath(new URL('./metered-load.mjs', import.meta.url)));
  return {
    async run(order) {
      child.send(order);
      const [{ figures, error }] = await once(child, 'message');
      if (error) throw new Error(error);
      return figures;
    },
    stop: () => child.kill(),
  };
}

const middle = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];

/** All loads in turns, so that whatever slows the machine slows each; the middle round of each counts. */
async function measure(load, orders) {
  const seen = Object.fromEntries(Object.keys(orders).map((name) => [name, []]));
  for (const order of Object.values(orders)) await load.run({ ...order, seconds: 1 });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, order] of Object.entries(orders)) seen[name].push(await load.run(order));
  const middleOf = (name, figure) => middle(seen[name].map((figures) => figures[figure]));
  return { perSecond: (name) => middleOf(name, 'perSecond'), ms: (name, figure) => middleOf(name, figure) };
}

function print(rows) {
  const shown = [['work', 'measured', 'against', 'ratio'], ...rows];
  const widths = shown[0].map((_, column) => Math.max(...shown.map((row) => row[column].length)));
  for (const row of shown) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
}

const rate = (perSecond) => `${Math.round(perSecond)}/s`;
const long = (ms) => `${ms.toFixed(2)} ms`;
const ratio = (one, other) => (one / other).toFixed(2);

// On a loaded machine a call waits rather than give up.
await withServerAndDatabase(
  { TIMINGS_SCALE: '1', METERED_WAIT_MS: '20000' },
  async (baseUrl, databaseUrl, database) => {
    const [keys, subjects] = [await makePayers(database), await agentIds(baseUrl)];
    await database.query(REFERENCE_SCHEMA);
    await database.query('VACUUM ANALYZE');
    const common = { load: 'metered', baseUrl, subjects, connections: CONNECTIONS, seconds: SECONDS };
    const referred = { load: 'reference', databaseUrl, accounts: ACCOUNTS, clients: REFERENCE_CLIENTS };
    const load = startLoad();
    try {
      const { perSecond, ms } = await measure(load, {
        many: { ...common, keys },
        'reference, many': { ...referred, seconds: SECONDS },
        one: { ...common, keys: keys.slice(0, 1) },
        'reference, one': { ...referred, accounts: 1, seconds: SECONDS },
        alone: { ...common, keys, connections: 1 },
        'reference, alone': { ...referred, clients: 1, seconds: SECONDS },
        replay: { ...common, keys, replay: true },
      });
      console.log(
        `${subjects.length} agents, ${ROUNDS} rounds of ${SECONDS} s for each line, middle round shown`,
      );
      const against = (name, other) => [
        rate(perSecond(name)),
        rate(perSecond(other)),
        ratio(perSecond(name), perSecond(other)),
      ];
      print([
        [`${ACCOUNTS} accounts, ${CONNECTIONS} connections`, ...against('many', 'reference, many')],
        [`one account, ${CONNECTIONS} connections`, ...against('one', 'reference, one')],
        [
          'one call at a time, median',
          long(ms('alone', 'median')),
          long(ms('reference, alone', 'mean')),
          ratio(ms('alone', 'median'), ms('reference, alone', 'mean')),
        ],
        ['replay of a settled key (against a fresh call)', ...against('replay', 'many')],
      ]);
    } finally {
      load.stop();
    }
  },
);
