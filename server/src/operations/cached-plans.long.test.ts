import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callInProcess, wordOf } from '../../../torture/call-in-process.ts';
import { STATEMENT_TEXT } from '../../testing/database-proxy.ts';
import { credentialOf, giveCredits, makeAccount, PLAN_BOOK } from '../../testing/factories.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../testing/import/import-workspace.ts';
import { copyAccount, importLargeSample } from '../../testing/large-registry.ts';
import { operationParts, requestFor } from '../../testing/operations/operation-parts.ts';
import { createStandIn, refuse } from '../../testing/stand-ins/stand-in-backend.ts';
import { billingContextSqlOf } from '../billing/ledger/billing-context.fragment.ts';
import { loadBillingContext } from '../billing/ledger/billing-context.ts';
import { loadListingFlags } from '../catalog/relations/listing-flags.ts';
import { resolveSubject } from '../catalog/subjects/resolve-subject.ts';
import { getAgent, getAgentLineage, getAgents } from '../directory/agents/get-agent.ts';
import { listAgents } from '../directory/lists/list-agents.ts';
import { loadScoredFacts } from '../directory/own-agents/refresh-score.queries.ts';
import { connect, type Database } from '../platform/database/connect.ts';
import { embeddedBackend } from '../scoring/embedded/embedded-backend.ts';
import { FACTS_BY_TYPE, loadFacts } from '../scoring/facts/load-facts.ts';
import { readCallSql } from './call-context.ts';
import { describeCall } from './operation-call.ts';

const TIMES_THE_SAMPLE = 4;
const ACCOUNTS = 500;
/** Executions per statement. From the sixth on, PostgreSQL uses a generic plan if it is not costlier than custom plans. */
const EXECUTIONS = 8;
const MOST_WORSE = 1.5;
/**
 * Texts that identify statements: reads of a call with both kinds of facts, look-up, resolver, hold, settle,
 * reversal, charge, the detail read and its flags, and batched reads of subjects.
 */
const KEPT_PARTS = [
  readCallSql('key', FACTS_BY_TYPE.agent).trim(),
  readCallSql('key', FACTS_BY_TYPE.creator).trim(),
  billingContextSqlOf.key().trim(),
  'FROM best JOIN c',
  STATEMENT_TEXT.reserve,
  STATEMENT_TEXT.settle,
  STATEMENT_TEXT.fail,
  STATEMENT_TEXT.charge,
  'l.agent_id = asked.id',
  'chain (n, id, relation',
  'l.subject_id = walked.id',
  'l.subject_id = asked.id',
  "v.inputs -> 'facts'",
  'l.subject_id = coalesce(a.listing_id, s.id)\n  JOIN creator',
];
/** Tables that a sharded database would distribute by account, and by subject. */
const BY_ACCOUNT = new Set([
  'account',
  'access_key',
  'session',
  'credit_bucket',
  'bucket_entry',
  'open_run',
  'ended_run',
]);
const BY_SUBJECT = new Set([
  'score_version',
  'score_evidence',
  'score_archive',
  'subject',
  'listing_rank',
  'score_due',
]);
/** Texts that identify statements, each contained in one statement only. Keys are the names that ops/scaling.md uses. */
const CROSSING = { ...STATEMENT_TEXT, read: 'LEFT JOIN best' };
/** Size in rows above which the test allows no sequential scan. */
const BIG_TABLE_ROWS = 1_000;

const EVERYTHING = {
  verified: null,
  tier: null,
  sort: 'score_desc',
  limit: 20,
  offset: 0,
  cursor: null,
} as const;

interface Plan {
  'Node Type': string;
  'Total Cost': number;
  'Relation Name'?: string;
  Plans?: Plan[];
}

let workspace: ImportWorkspace;
/** One session, which prepares all statements. */
let database: Database;
let planner: pg.Client;
/** Statements with parameters: how often each was sent, and its last values. */
const sent = new Map<string, { times: number; bind: readonly unknown[] }>();

beforeAll(async () => {
  workspace = await createImportWorkspace();
  await importLargeSample(workspace, TIMES_THE_SAMPLE);
  const caller = await makeAccount(workspace.database, { plan: 'builder' });
  await giveCredits(workspace.database, caller.accountId, 1_000_000);
  database = connect(workspace.url, { poolSize: 1, statementTimeoutMs: 60_000 });
  planner = new pg.Client({ connectionString: workspace.url });
  await planner.connect();
  const watched: Database = {
    ...database,
    query: (sql, bind = []) => {
      const text = sql.trim();
      if (bind.length > 0) sent.set(text, { times: (sent.get(text)?.times ?? 0) + 1, bind });
      return database.query(sql, bind);
    },
  };
  const subjects = await database.query<{ agent: string; creator: string }>(
    `SELECT l.agent_id AS agent, c.handle AS creator FROM listing l JOIN creator c ON c.subject_id = l.creator_id
     WHERE l.type = 'agent' ORDER BY l.agent_id LIMIT ${EXECUTIONS}`,
  );
  await callAll(watched, caller.key.secret, subjects.slice(0, 2));
  await copyAccount(database, caller.accountId, ACCOUNTS);
  await callAll(watched, caller.key.secret, subjects);
}, 180_000);
afterAll(async () => {
  await planner.end();
  await database.close();
  await workspace.close();
});

/** Makes calls, replays and failing calls for many subjects, and reads each. */
async function callAll(on: Database, secret: string, subjects: { agent: string; creator: string }[]) {
  const charging = operationParts(on, { backend: embeddedBackend });
  const holding = operationParts(on, { backend: createStandIn() });
  const failing = operationParts(on, { backend: createStandIn(refuse) });
  const read: string[] = [];
  for (const { agent, creator } of subjects) {
    const call = { secret, subject: agent, idempotencyKey: randomUUID() };
    const words = [
      await wordOf(callInProcess(charging, call)),
      await wordOf(callInProcess(charging, call)),
      await wordOf(callInProcess(holding, { ...call, idempotencyKey: randomUUID() })),
      await wordOf(callInProcess(failing, { ...call, idempotencyKey: randomUUID() })),
      await wordOf(
        callInProcess(charging, {
          ...call,
          operation: 'creator_score',
          subject: creator,
          idempotencyKey: randomUUID(),
        }),
      ),
    ];
    expect(words).toEqual(['settled', 'replay', 'settled', 'scoring_failed', 'settled']);
    await resolveSubject(on, 'agent', agent, charging.publicUrls);
    await loadBillingContext(on, describeCall(PLAN_BOOK, credentialOf(call), requestFor('nothing')));
    const { subjectId } = await getAgent(on, agent);
    await loadListingFlags(on, [subjectId]);
    await getAgentLineage(on, agent);
    // Read pages of 1, 2, 3 … rows: if the text of a statement depended on the page size, each size would be a new statement.
    read.push(subjectId);
    await getAgents(on, read);
    await loadScoredFacts(on, read);
    await loadFacts(on, read);
  }
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join()}}`);
  return pg.escapeLiteral(String(value));
}

async function planOf(sql: string, mode: 'force_generic_plan' | 'force_custom_plan'): Promise<Plan> {
  const values = (sent.get(sql)?.bind ?? []).map(literal).join(', ');
  await planner.query(`SET plan_cache_mode = ${mode}; PREPARE looked_at AS ${sql}`);
  const { rows } = await planner.query(`EXPLAIN (FORMAT JSON) EXECUTE looked_at (${values})`);
  await planner.query('DEALLOCATE looked_at');
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** Returns the names of the big tables and partitioned tables. */
async function tablesOf(name: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `SELECT ${name} AS name FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
     GROUP BY 1 HAVING sum(c.reltuples) >= ${BIG_TABLE_ROWS}`,
  );
  return rows.map((row) => row.name);
}

/** Returns every table that a plan reads or writes. */
function tablesIn(plan: Plan): string[] {
  return [plan['Relation Name'] ?? '', ...(plan.Plans ?? []).flatMap(tablesIn)];
}

function readInWhole(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(readInWhole)];
}

describe('on a registry and a ledger with real statistics', () => {
  it('every statement of a metered call, a detail or lineage read and a page of records uses a cached generic plan from its sixth execution', async () => {
    const kept = await database.query<{ statement: string; generic_plans: number }>(
      'SELECT statement, generic_plans::int FROM pg_prepared_statements',
    );
    const often = [...sent].filter(([, { times }]) => times >= EXECUTIONS).map(([sql]) => sql);
    const plannedAnew = often.filter(
      (sql) => !kept.some(({ statement, generic_plans }) => statement === sql && generic_plans > 0),
    );

    expect(plannedAnew).toEqual([]);
    for (const part of KEPT_PARTS) expect(often.some((sql) => sql.includes(part))).toBe(true);
  });

  it('a cached plan costs at most 1.5 times a plan for the values, and scans no big table', async () => {
    const bigTables = await tablesOf('c.relname');
    const worse: unknown[] = [];
    for (const sql of sent.keys()) {
      const generic = await planOf(sql, 'force_generic_plan');
      const custom = await planOf(sql, 'force_custom_plan');
      const ratio = generic['Total Cost'] / custom['Total Cost'];
      const whole = readInWhole(generic).filter((table) => bigTables.includes(table));
      if (ratio > MOST_WORSE || whole.length > 0) worse.push({ sql, ratio, whole });
    }

    expect(worse).toEqual([]);
    // Partitions may be small individually.
    expect(await tablesOf('coalesce(i.inhparent, c.oid)::regclass::text')).toEqual(
      expect.arrayContaining(['listing', 'ended_run', 'subject_alias']),
    );
  });

  it('only the statements named in ops/scaling.md use tables by account and tables by subject together', async () => {
    const crossing = new Set<string>();
    for (const sql of sent.keys()) {
      const tables = tablesIn(await planOf(sql, 'force_generic_plan')).map((name) =>
        name.replace(/_\d+$/, ''),
      );
      if (!tables.some((name) => BY_ACCOUNT.has(name)) || !tables.some((name) => BY_SUBJECT.has(name)))
        continue;
      const known = Object.entries(CROSSING).find(([, text]) => sql.includes(text));
      crossing.add(known?.[0] ?? sql);
    }

    const document = readFileSync(new URL('../../../ops/scaling.md', import.meta.url), 'utf8');
    const [, rows = ''] =
      /\| why it needs two shards \| how to split it \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(document) ?? [];
    const named = rows.replaceAll(/^(\|[^|]*).*$/gm, '$1');
    expect([...crossing].sort()).toEqual([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort());
  });

  it('searches and lists are planned for their values each time', async () => {
    for (const q of ['agent', 'nothing like this', null])
      await listAgents(database, { ...EVERYTHING, q, category: 'coding' });

    const kept = await database.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');

    expect(
      kept.filter(({ statement }) => /listing_words|row_number\(\) OVER \(ORDER/.test(statement)),
    ).toEqual([]);
  });
});
