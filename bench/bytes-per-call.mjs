// Measures how many bytes a settled call adds to tables and indexes, after the VACUUM that every database runs.

import { giveCredits, makeAccount } from '../server/testing/factories.ts';
import { vacuum, withServerAndDatabase } from './bench-server.mjs';

const CALLS = Number(process.env.CALLS ?? 4_000);
const ACCOUNTS = Number(process.env.ACCOUNTS ?? 10);
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 16);
const MOST_SUBJECTS = 100;

/**
 * Selects the size of each table and index; TOAST data and maps count as part of the table. Leaves out the search
 * vocabulary, which the server recounts at intervals and no call changes.
 */
const SIZES = `SELECT c.relname AS name, c.relkind = 'i' AS "isIndex",
  CASE c.relkind WHEN 'i' THEN pg_relation_size(c.oid) ELSE pg_table_size(c.oid) END AS bytes
FROM pg_class c WHERE c.relkind IN ('r', 'i') AND c.relnamespace = 'public'::regnamespace
  AND coalesce((SELECT indrelid FROM pg_index WHERE indexrelid = c.oid), c.oid)
    <> ALL ('{search_word}'::regclass[])`;

async function sizes(database) {
  await vacuum(database);
  return new Map((await database.query(SIZES)).map((row) => [row.name, row]));
}

async function callAll(baseUrl, keys, subjects) {
  let next = 0;
  const work = async () => {
    while (next < CALLS) {
      const call = next;
      next += 1;
      const response = await fetch(`${baseUrl}/api/svc/operations/run`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[call % keys.length]}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          operation: 'agent_score',
          subject: subjects[call % subjects.length],
          idempotency_key: crypto.randomUUID(),
        }),
      });
      const answer = await response.json();
      if (answer.settled !== true) throw new Error(`not settled: ${JSON.stringify(answer)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

/**
 * Prints the tables and indexes that grew. Omits those that shrank: their pages were freed by a vacuum, so the calls did
 * not save this space.
 */
function print(before, after) {
  const grown = [...after.values()]
    .map(({ name, isIndex, bytes }) => ({ name, isIndex, grew: bytes - (before.get(name)?.bytes ?? 0) }))
    .filter(({ grew }) => grew > 0)
    .sort((one, other) => other.grew - one.grew);
  for (const { name, isIndex, grew } of grown.filter(({ grew }) => grew >= CALLS))
    console.log(`${(grew / CALLS).toFixed(0).padStart(6)}  ${name}${isIndex ? ' (index)' : ''}`);
  const all = grown.reduce((sum, { grew }) => sum + grew, 0);
  console.log(`${(all / CALLS).toFixed(0).padStart(6)}  bytes per settled call, all in all (${CALLS} calls)`);
}

await withServerAndDatabase(
  { TIMINGS_SCALE: '1', METERED_WAIT_MS: '20000' },
  async (baseUrl, _databaseUrl, database) => {
    const keys = [];
    for (let made = 0; made < ACCOUNTS; made += 1) {
      const { accountId, key } = await makeAccount(database);
      await giveCredits(database, accountId, 1_000_000_000);
      keys.push(key.secret);
    }
    const { data } = await (await fetch(`${baseUrl}/api/agents?limit=${MOST_SUBJECTS}`)).json();
    const subjects = data.filter(({ type }) => type === 'agent').map(({ id }) => id);
    // A page that VACUUM empties is reused only after the next VACUUM. After two rounds, only permanent data makes
    // tables grow.
    for (const _lap of [1, 2]) {
      await callAll(baseUrl, keys, subjects);
      await sizes(database);
    }
    const before = await sizes(database);
    await callAll(baseUrl, keys, subjects);
    const after = await sizes(database);
    console.log(`${ACCOUNTS} accounts, ${subjects.length} agents, ${CONNECTIONS} connections`);
    print(before, after);
  },
);
