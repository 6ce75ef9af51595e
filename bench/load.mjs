// Makes the load of the benchmarks, in a separate process. The parent process sends it orders and gets the figures.
import pg from 'pg';
import { askInTurn, requestText } from './ask-in-turn.mjs';
import { answerOrders } from './child.mjs';
import { figuresOf } from './figures.ts';
import { chargeOnce } from './reference-ledger.mjs';

/** Settled calls, which a replay sends again. */
const settled = [];
const MOST_KEPT = 20_000;
const any = (list) => list[Math.floor(Math.random() * list.length)];

/**
 * Returns a function that says whether to make another call, limited by time or by count. The first call is always allowed.
 */
function limitOf({ seconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY }) {
  const until = performance.now() + seconds * 1_000;
  let begun = 0;
  return () => {
    const goesOn = begun === 0 || (begun < count && performance.now() < until);
    if (goesOn) begun += 1;
    return goesOn;
  };
}

/**
 * Runs `work` concurrently for each of `workers` and returns the figures of all calls. `work` adds the duration of each
 * call to a list.
 */
async function timed(workers, work) {
  const times = [];
  const startedAt = performance.now();
  await Promise.all(workers.map((worker) => work(worker, times)));
  return figuresOf(times, (performance.now() - startedAt) / 1_000);
}

/**
 * Sends GET requests for the paths in turn, or the given requests, for a duration. With `once`, it sends each of them
 * once.
 */
function reads({ origin, paths, requests = paths.map((path) => ({ path })), connections, seconds, once }) {
  const url = new URL(origin);
  const texts = requests.map((request) => requestText(request, url));
  const goesOn = limitOf(once ? { count: texts.length } : { seconds });
  let place = 0;
  const next = () => (goesOn() ? texts[place++ % texts.length] : undefined);
  return timed(Array(connections).fill(url), (where, times) =>
    askInTurn(where, next, (_body, took) => times.push(took)),
  );
}

/** Sends metered calls, one at a time on each connection: new ones, or replays of settled ones. */
function metered({ baseUrl, keys, subjects, connections, replay = false, ...limit }) {
  const url = new URL(baseUrl);
  const goesOn = limitOf(limit);
  const word = replay ? '"idempotent":true' : '"settled":true';
  const fresh = () => {
    const call = { operation: 'agent_score', subject: any(subjects), idempotency_key: crypto.randomUUID() };
    return { key: any(keys), body: JSON.stringify(call) };
  };
  const call = async (where, times) => {
    let sent;
    const next = () => {
      if (!goesOn()) return undefined;
      sent = replay ? any(settled) : fresh();
      return meteredRequest(sent, url);
    };
    await askInTurn(where, next, (body, took) => {
      if (!body.includes(word)) throw new Error(`expected ${word}: ${body}`);
      if (!replay && settled.length < MOST_KEPT) settled.push(sent);
      times.push(took);
    });
  };
  return timed(Array(connections).fill(url), call);
}

function meteredRequest({ key, body }, url) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return requestText({ method: 'POST', path: '/api/svc/operations/run', headers, body }, url);
}

/** Runs the same load on the reference ledger: a hold and a charge per call, by `clients` concurrent clients. */
async function reference({ databaseUrl, accounts, clients, ...limit }) {
  const opened = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  const goesOn = limitOf(limit);
  const charge = async (client, times) => {
    while (goesOn()) {
      const startedAt = performance.now();
      await chargeOnce(client, 1 + Math.floor(Math.random() * accounts));
      times.push(performance.now() - startedAt);
    }
  };
  try {
    return await timed(opened, charge);
  } finally {
    await Promise.all(opened.map((client) => client.end()));
  }
}

const LOADS = { reads, metered, reference };
answerOrders(async ({ load, ...order }) => ({ figures: await LOADS[load](order) }));
