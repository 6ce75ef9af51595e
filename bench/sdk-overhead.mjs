import { TrustDirectory } from '../sdk/dist/index.mjs';
import { withServer } from './bench-server.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 2_000);
const WARM_UP_ROUNDS = 200;
const MAX_RATIO = 1.1;

/** Sends a request as a careful program without the SDK would. */
async function bareFetch(url, init) {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

/** Calls to compare, each bare and with the SDK. */
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

/** Milliseconds of each way's calls; the ways take turns, so that whatever slows the machine slows both. */
async function timed(ways) {
  const times = ways.map(() => []);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (let turn = 0; turn < ways.length; turn += 1) {
      const which = (round + turn) % ways.length;
      const startedAt = performance.now();
      await ways[which]();
      if (round >= WARM_UP_ROUNDS) times[which].push(performance.now() - startedAt);
    }
  }
  return times;
}

function medianOf(times) {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
}

await withServer({}, async ({ baseUrl, printed }) => {
  const apiKey = await printed(/svc_live_\w{38}/);
  for (const [name, ways] of Object.entries(await callsOn(baseUrl, apiKey))) {
    const [bare, sdk] = (await timed(ways)).map(medianOf);
    const ratio = sdk / bare;
    console.log(`${name}: fetch ${bare.toFixed(3)} ms, SDK ${sdk.toFixed(3)} ms, ratio ${ratio.toFixed(3)}`);
    if (ratio > MAX_RATIO) process.exitCode = 1;
  }
});
