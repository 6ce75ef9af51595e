// Measures the cost of a guarantee: once a client has the answer of a metered call, no server process sends older data from
// its response cache. A second server on the same database reads the subjects of calls that the first server settles. The
// first server is measured with and without such a reader.

import { startServer } from '../server/testing/server-process.ts';
import { withServerAndDatabase } from './bench-server.mjs';
import { endLater } from './ending.mjs';
import { duration, percentile, rate } from './figures.ts';
import { inTurns, withLoad } from './in-turns.mjs';
import { agentIds, listed } from './listed.mjs';
import { makePayers } from './make-payers.mjs';
import { tell } from './progress.mjs';
import { atLeast, atMost } from './table.ts';

const SECONDS = Number(process.env.SECONDS ?? 3);
const CALLS = Number(process.env.CALLS ?? 200);
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 32);
const SETTINGS = {
  NODE_OPTIONS: '--max-semi-space-size=64',
  TIMINGS_SCALE: '1',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
  RATE_LIMIT_METERED_PER_MINUTE: '0',
};

/** Settles one call and returns its milliseconds. */
async function settle(baseUrl, key, subject) {
  const startedAt = performance.now();
  const answer = await fetch(`${baseUrl}/api/svc/operations/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ operation: 'agent_score', subject, idempotency_key: crypto.randomUUID() }),
  });
  const text = await answer.text();
  if (!text.includes('"settled":true')) throw new Error(`a call was not settled: ${text}`);
  return performance.now() - startedAt;
}

/** Makes metered calls one after the other; calls `after` with the subject of each settled call. */
async function settleInTurn(baseUrl, keys, subjects, after = async () => undefined) {
  const times = [];
  for (let call = 0; call < CALLS; call += 1) {
    const subject = subjects[call % subjects.length];
    times.push(await settle(baseUrl, keys[call % keys.length], subject));
    await after(subject);
  }
  return { median: percentile(times, 0.5) };
}

/**
 * Creates a reader that requests a subject from a server with If-None-Match, and counts the answers from before the
 * last settled call.
 */
function reader(baseUrl) {
  const known = new Map();
  const seen = { reads: 0, stale: 0 };
  return {
    seen,
    async read(subject) {
      const tag = known.get(subject);
      const headers = tag ? { 'if-none-match': tag } : {};
      const answer = await fetch(`${baseUrl}/api/agents/${subject}`, { headers });
      await answer.text();
      seen.reads += 1;
      // Each settled call stores a new score and changes the record, so a 304 means that the server has data from before it.
      if (answer.status === 304) seen.stale += 1;
      else known.set(subject, answer.headers.get('etag'));
    },
  };
}

/** Measures freshness and returns the lines of its table. */
export function measure() {
  return withServerAndDatabase({}, async (baseUrl, databaseUrl, database) => {
    tell('reading what is to be sent');
    const agents = await listed(baseUrl, 10_000);
    const subjects = (await agentIds(baseUrl, 10_000)).slice(0, 20);
    const keys = await makePayers(database, 20);
    const other = await startServer({ DATABASE_URL: databaseUrl, ...SETTINGS }, { entry: 'real' });
    const end = endLater(() => other.end('SIGTERM'));
    try {
      const reading = reader(other.baseUrl);
      const warm = {
        load: 'reads',
        connections: CONNECTIONS,
        seconds: SECONDS,
        origin: baseUrl,
        paths: agents.map(({ id }) => `/api/agents/${id}`),
      };
      const figure = await withLoad((run) =>
        inTurns(run, {
          warm,
          'warm, one': { ...warm, connections: 1 },
          'settled, read elsewhere': () => settleInTurn(baseUrl, keys, subjects, reading.read),
          settled: () => settleInTurn(baseUrl, keys, subjects),
        }),
      );
      const { reads, stale } = reading.seen;
      const compared = (work, against, one, second, unit) => ({ work, against, one, other: second, unit });
      return [
        atMost(
          compared(
            'a settled call, one at a time, another process reads it at once',
            'nobody reads',
            figure('settled, read elsewhere', 'median'),
            figure('settled', 'median'),
            duration,
          ),
          1.5,
        ),
        {
          work: 'read of a second process right after a settled call, from before it',
          against: '',
          measured: `${stale} of ${reads}`,
          target: '0',
          met: stale === 0,
        },
        atLeast(
          compared(
            `kept details, ${CONNECTIONS} connections`,
            'one connection',
            figure('warm', 'perSecond'),
            figure('warm, one', 'perSecond'),
            rate,
          ),
          2,
        ),
      ];
    } finally {
      await end();
    }
  });
}
