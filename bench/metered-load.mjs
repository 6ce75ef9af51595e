// The load of the metered bench, in a process of its own. Its parent sends one order after the other and gets an answer each.
import { Agent, request } from 'node:http';
import pg from 'pg';
import { chargeOnce } from './reference-ledger.mjs';

/** Settled calls, to be sent again. */
const settled = [];
const MOST_KEPT = 20_000;

/** Runs `once` on each of `workers` at the same time until the time is over; answers how often, and how long each took. */
async function forSeconds(seconds, workers, once) {
  const times = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const work = async (worker) => {
    for (let now = performance.now(); now < endsAt; ) {
      await once(worker);
      const later = performance.now();
      times.push(later - now);
      now = later;
    }
  };
  await Promise.all(workers.map(work));
  const took = (performance.now() - startedAt) / 1_000;
  const sorted = times.toSorted((one, other) => one - other);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return {
    count: times.length,
    perSecond: times.length / took,
    median: sorted[sorted.length >> 1],
    p99: sorted[Math.floor(sorted.length * 0.99)],
    mean,
  };
}

function send(agent, baseUrl, key, body) {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${baseUrl}/api/svc/operations/run`,
      {
        agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${response.statusCode} ${text}`));
        });
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

const any = (list) => list[Math.floor(Math.random() * list.length)];

/** Metered calls over HTTP, one under way on each connection: new ones, or repeats of settled ones. */
async function metered({ baseUrl, keys, subjects, connections, seconds, replay = false }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const fresh = async () => {
    const key = any(keys);
    const call = { operation: 'agent_score', subject: any(subjects), idempotency_key: crypto.randomUUID() };
    const body = JSON.stringify(call);
    const answer = await send(agent, baseUrl, key, body);
    if (answer.settled !== true) throw new Error(`not settled: ${JSON.stringify(answer)}`);
    if (settled.length < MOST_KEPT) settled.push({ key, body });
  };
  const repeat = async () => {
    const { key, body } = any(settled);
    const answer = await send(agent, baseUrl, key, body);
    if (answer.idempotent !== true) throw new Error(`not a replay: ${JSON.stringify(answer)}`);
  };
  try {
    return await forSeconds(seconds, Array(connections).fill(null), replay ? repeat : fresh);
  } finally {
    agent.destroy();
  }
}

/** The same number of holds and charges on the reference ledger. */
async function reference({ databaseUrl, accounts, clients, seconds }) {
  const opened = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  try {
    return await forSeconds(seconds, opened, (client) =>
      chargeOnce(client, 1 + Math.floor(Math.random() * accounts)),
    );
  } finally {
    await Promise.all(opened.map((client) => client.end()));
  }
}

const LOADS = { metered, reference };

process.on('message', ({ load, ...order }) => {
  LOADS[load](order).then(
    (figures) => process.send({ figures }),
    (error) => process.send({ error: error.message }),
  );
});
