// Measures the time that the SDK adds to a call, compared with bare fetch.
import { TrustDirectory } from '../sdk/dist/index.mjs';
import { withServerAndDatabase } from './bench-server.mjs';
import { duration, middle } from './figures.ts';
import { makePayers } from './make-payers.mjs';
import { tell } from './progress.mjs';
import { atMost } from './table.ts';

const CALLS = Number(process.env.SDK_CALLS ?? 2_000);
const WARM_UP_CALLS = CALLS / 10;
const MAX_RATIO = 1.1;

/** Sends a request as a careful program without the SDK would. */
async function bareFetch(url, init) {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

/** Returns the calls to compare, each with bare fetch and with the SDK. */
async function callsOn(baseUrl, apiKey) {
  const client = new TrustDirectory({ baseUrl, apiKey });
  const [{ id, type }] = (await client.agents.list({ limit: 1 })).data;
  const request = { operation: `${type}_score`, subject: id };
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const quoteBare = () => {
    const body = JSON.stringify({ ...request, dry_run: true, idempotency_key: crypto.randomUUID() });
    return bareFetch(`${baseUrl}/api/svc/operations/run`, { method: 'POST', headers, body });
  };
  return {
    'agents.get': [() => bareFetch(`${baseUrl}/api/agents/${id}`), () => client.agents.get(id)],
    'agents.list': [
      () => bareFetch(`${baseUrl}/api/agents?limit=20`),
      () => client.agents.list({ limit: 20 }),
    ],
    'operations.quote': [quoteBare, () => client.operations.quote(request)],
  };
}

/** Measures the milliseconds of the calls of each client. The clients take turns, so that other load slows both alike. */
async function timed(ways) {
  const times = ways.map(() => []);
  for (let round = 0; round < WARM_UP_CALLS + CALLS; round += 1) {
    for (let turn = 0; turn < ways.length; turn += 1) {
      const which = (round + turn) % ways.length;
      const startedAt = performance.now();
      await ways[which]();
      if (round >= WARM_UP_CALLS) times[which].push(performance.now() - startedAt);
    }
  }
  return times;
}

/** Measures the SDK's overhead per call and returns the lines of its table. */
export function measure() {
  return withServerAndDatabase({}, async (baseUrl, _databaseUrl, database) => {
    const [apiKey] = await makePayers(database, 1);
    const lines = [];
    for (const [name, ways] of Object.entries(await callsOn(baseUrl, apiKey))) {
      tell(`${name}, ${CALLS} times each way`);
      const [other, one] = (await timed(ways)).map(middle);
      const work = `SDK, ${name}, median`;
      lines.push(atMost({ work, against: 'fetch', one, other, unit: duration }, MAX_RATIO));
    }
    return lines;
  });
}
