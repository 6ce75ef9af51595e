// What the SDK costs per call, against bare `fetch` on the same server. Exits with 1 where it costs more than allowed.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrustDirectory } from '../sdk/dist/index.mjs';
import { startServer } from '../server/testing/server-process.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 2_000);
const WARM_UP_ROUNDS = 200;
const MAX_RATIO = 1.1;

/** A server of its own with the sample listings, without rate limits; it ends with the work. */
async function withServer(work) {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-bench-'));
  // As root, the embedded database runs as another user, who has to pass through.
  await chmod(folder, 0o711);
  const limits = { RATE_LIMIT_PUBLIC_PER_MINUTE: '0', RATE_LIMIT_METERED_PER_MINUTE: '0' };
  const server = await startServer(
    { DATA_DIR: join(folder, 'data'), ...limits },
    { entry: 'real', cwd: folder },
  );
  try {
    await work(server.baseUrl, await server.printed(/svc_live_\w{38}/));
  } finally {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

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

await withServer(async (baseUrl, apiKey) => {
  for (const [name, ways] of Object.entries(await callsOn(baseUrl, apiKey))) {
    const [bare, sdk] = (await timed(ways)).map(medianOf);
    const ratio = sdk / bare;
    console.log(`${name}: fetch ${bare.toFixed(3)} ms, SDK ${sdk.toFixed(3)} ms, ratio ${ratio.toFixed(3)}`);
    if (ratio > MAX_RATIO) process.exitCode = 1;
  }
});
