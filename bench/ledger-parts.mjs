// Measures what each foreign key, trigger and index of the ledger costs a metered call. Foreign keys and triggers: EXPLAIN
// ANALYZE of the statements, with the foreign keys that were removed from the schema added again. Indexes: CPU time of the
// session while it inserts the same rows into a copy of their table, with and without that index.
// `server/src/billing/ledger/README.md` has the figures.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { newLedgerId, RESERVE } from '../server/src/billing/ledger/reserve.ts';
import { SETTLE } from '../server/src/billing/ledger/settle.ts';
import { batchBytes, batchJson } from '../server/src/platform/batching/batch-source.ts';
import { embeddedBackend } from '../server/src/scoring/embedded/embedded-backend.ts';
import { loadFacts } from '../server/src/scoring/facts/load-facts.ts';
import { acceptScore } from '../server/src/scoring/scores/accept-score.ts';
import { scoreRow } from '../server/src/scoring/scores/score-evidence.fragment.ts';
import { giveCredits, makeAccount } from '../server/testing/factories.ts';
import { withServerAndDatabase } from './bench-server.mjs';

const BATCHES = Number(process.env.BATCHES ?? 150);
const EXPLAINED = Number(process.env.EXPLAINED ?? 31);
const REPEATS = 7;
const BATCH = 32;
const ACCOUNTS = 50;

/**
 * Adds the foreign keys that were removed from the schema. They were redundant: the statement that writes a row has just
 * read or written the rows to which it refers.
 */
const GONE_KEYS = ['open_run', 'ended_run']
  .map(
    (table) => `
ALTER TABLE ${table} ADD CONSTRAINT ${table}_key FOREIGN KEY (key_id) REFERENCES access_key NOT VALID,
  ADD CONSTRAINT ${table}_subject FOREIGN KEY (subject_id) REFERENCES subject NOT VALID,
  ADD CONSTRAINT ${table}_bucket FOREIGN KEY (account_id, bucket_id) REFERENCES credit_bucket (account_id, id) NOT VALID;`,
  )
  .join('')
  .concat(
    'ALTER TABLE score_version ADD CONSTRAINT version_evidence FOREIGN KEY (subject_id, content) REFERENCES score_evidence NOT VALID',
  );

/** Indexes that a call writes, or wrote in earlier versions: name, table, columns, and number of entries per settled call. */
const INDEXES = [
  ['open_run_pkey', 'ended_run', '(ledger_id, account_id)', 1],
  ['open_run_one_of_key', 'ended_run', '(idempotency_key, account_id)', 1],
  ['open_run_due', 'ended_run', '(lease_until)', 1],
  ['open_run_of_bucket', 'ended_run', '(bucket_id, lease_until)', 1],
  ['ended_run_pkey', 'ended_run', '(ledger_id, account_id)', 1],
  ['ended_run_attempt', 'ended_run', '(account_id, idempotency_key, attempt)', 1],
  [
    'ended_run_kind',
    'ended_run',
    "(hashtextextended(operation || ' ' || state, uuid_hash_extended(account_id, 0)), created_at)",
    1,
  ],
  ['score_version_pkey', 'score_version', '(subject_id, version)', 1],
];

/** Returns the CPU time of a process so far, in microseconds. */
async function cpuOf(pid) {
  const [ns] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(ns) / 1_000;
}

async function scoresOf(database) {
  const rows = await database.query(
    "SELECT subject_id AS id FROM listing WHERE type = 'agent' ORDER BY agent_id LIMIT 60",
  );
  const subjects = [
    ...(
      await loadFacts(
        database,
        rows.map(({ id }) => id),
      )
    ).values(),
  ];
  return Promise.all(
    subjects.map(async (facts) => {
      const request = { operation: 'agent_score', runId: null, ...facts };
      return acceptScore(await embeddedBackend.score(request), request, embeddedBackend.source);
    }),
  );
}

/** Holds and settles one batch of calls; executes each statement through `send`. */
async function callBatch(accounts, scores, send) {
  const calls = Array.from({ length: BATCH }, () => {
    const account = accounts[Math.floor(Math.random() * accounts.length)];
    const score = scores[Math.floor(Math.random() * scores.length)];
    return { account, score, ledgerId: newLedgerId() };
  });
  const input = calls.map(({ account, score, ledgerId }) => ({
    caller: account.key.id,
    scope: 'scores:read',
    key: randomUUID(),
    fingerprint: batchBytes(Buffer.alloc(32, 7)),
    price: 10,
    ledger_id: ledgerId,
    operation: 'agent_score',
    subject_id: score.subjectId,
    lease_ms: 60_000,
    named: null,
  }));
  await send('reserve', RESERVE.key, [batchJson(input)]);
  const ends = calls.map(({ account, score, ledgerId }) => ({
    account_id: account.accountId,
    bucket_id: account.bucketId,
    ledger_id: ledgerId,
    subject_type: 'agent',
    ...scoreRow(score),
  }));
  await send('settle', SETTLE, [batchJson(ends)]);
}

async function printTriggers(client, accounts, scores) {
  const seen = new Map();
  const explain = async (_name, sql, values) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
    for (const trigger of rows[0]['QUERY PLAN'][0].Triggers) {
      const name = `${trigger['Constraint Name'] ?? trigger['Trigger Name']} of ${trigger.Relation}`;
      seen.set(name, [...(seen.get(name) ?? []), (trigger.Time * 1_000) / BATCH]);
    }
  };
  for (let batch = 0; batch < EXPLAINED; batch += 1) await callBatch(accounts, scores, explain);
  for (const [name, times] of seen)
    console.log(`${((Math.min(...times) * times.length) / EXPLAINED).toFixed(1).padStart(7)} µs  ${name}`);
}

async function printIndexes(client, pid) {
  for (const [name, table, columns, entries] of INDEXES) {
    const taken = { bare: [], indexed: [] };
    for (let repeat = 0; repeat < REPEATS; repeat += 1)
      for (const kind of ['bare', 'indexed']) {
        await client.query(`CREATE TABLE copied AS SELECT * FROM ${table} WITH NO DATA`);
        if (kind === 'indexed') await client.query(`CREATE INDEX ON copied ${columns}`);
        const order = { ended_run: 'created_at', score_version: 'version' }[table];
        const before = await cpuOf(pid);
        const { rowCount } = await client.query(
          `INSERT INTO copied SELECT * FROM ${table} ORDER BY ${order}`,
        );
        taken[kind].push(((await cpuOf(pid)) - before) / rowCount);
        await client.query('DROP TABLE copied');
      }
    const each = Math.min(...taken.indexed) - Math.min(...taken.bare);
    console.log(`${(each * entries).toFixed(1).padStart(7)} µs  ${name}: ${entries} × ${each.toFixed(2)}`);
  }
}

await withServerAndDatabase({ TIMINGS_SCALE: '1' }, async (_baseUrl, url, database) => {
  const accounts = [];
  for (let made = 0; made < ACCOUNTS; made += 1) {
    const account = await makeAccount(database);
    await giveCredits(database, account.accountId, 1_000_000_000);
    const [{ id }] = await database.query('SELECT id FROM credit_bucket WHERE account_id = $1', [
      account.accountId,
    ]);
    accounts.push({ ...account, bucketId: id });
  }
  const scores = await scoresOf(database);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
  const spent = { reserve: 0, settle: 0 };
  const send = async (name, text, values) => {
    const before = await cpuOf(pid);
    const { rowCount } = await client.query({ name, text, values });
    spent[name] += ((await cpuOf(pid)) - before) / BATCHES / BATCH;
    if (rowCount !== BATCH) throw new Error(`${name}: ${rowCount} of ${BATCH}`);
  };
  for (let batch = 0; batch < BATCHES; batch += 1) await callBatch(accounts, scores, send);
  console.log(
    `${spent.reserve.toFixed(0)} µs to reserve and ${spent.settle.toFixed(0)} µs to settle, in batches of ${BATCH}`,
  );
  await client.query('VACUUM ANALYZE');
  await printIndexes(client, pid);
  await client.query(GONE_KEYS);
  await printTriggers(client, accounts, scores);
  await client.end();
});
