import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callInProcess, wordOf } from '../../../torture/call-in-process.ts';
import { STATEMENT_TEXT } from '../../testing/database-line.ts';
import { credentialOf, giveCredits, makeAccount, PLAN_BOOK } from '../../testing/factories.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../testing/import/import-workspace.ts';
import { copyAccount, importLargeSample } from '../../testing/large-registry.ts';
import { operationParts, requestFor } from '../../testing/operations/operation-parts.ts';
import { createStandIn, refuse } from '../../testing/stand-ins/stand-in-backend.ts';
import { connect, type Database } from '../database/connect.ts';
import { getAgent } from '../directory/get-agent.ts';
import { getAgentLineage } from '../directory/get-agent-lineage.ts';
import { getAgents } from '../directory/get-agents.ts';
import { listAgents } from '../directory/lists/list-agents.ts';
import { loadScoredFacts } from '../directory/own-agents/scored-facts.repository.ts';
import { lookUpSqlOf } from '../ledger/look-up.condition.ts';
import { lookUp } from '../ledger/look-up.ts';
import { loadListingMarks } from '../registry/relations/listing-marks.ts';
import { embeddedBackend } from '../scoring/embedded/embedded-backend.ts';
import { FACTS_OF, loadFacts } from '../scoring/facts/load-facts.ts';
import { resolveSubject } from '../subjects/resolve-subject.ts';
import { describeCall } from './operation-call.ts';
import { readCallSql } from './read-call.sql.ts';

const TIMES_THE_SAMPLE = 4;
const ACCOUNTS = 500;
/** PostgreSQL looks at the values of the first five executions, and compares from then on. */
const EXECUTIONS = 8;
const MOST_WORSE = 1.5;
/**
 * What is read of a call, with both kinds of facts, look-up, resolver, hold, settle, reversal, charge, the detail read and its marks,
 * and what is read of several subjects at once.
 */
const KEPT_PARTS = [
  readCallSql('key', FACTS_OF.agent).trim(),
  readCallSql('key', FACTS_OF.creator).trim(),
  lookUpSqlOf.key().trim(),
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
/** What a database of many shards would have by account, and by subject. */
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
/** Statements by the names that ops/scaling.md has for them, and a text that only they hold. */
const CROSSING = { ...STATEMENT_TEXT, read: 'LEFT JOIN best' };
/** Pages are read one after the other from here on only where nothing else would do. */
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
/** One session, which keeps all statements. */
let database: Database;
let planner: pg.Client;
/** Statements that take values: how often each was sent, and with what the last time. */
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

/** Calls, repeats and failing calls on many subjects, and reads of each. */
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
    await resolveSubject(on, 'agent', agent, charging.naming);
    await lookUp(on, describeCall(PLAN_BOOK, credentialOf(call), requestFor('nothing')));
    const { subjectId } = await getAgent(on, agent);
    await loadListingMarks(on, [subjectId]);
    await getAgentLineage(on, agent);
    // Pages of one, of two, and so on: a plan for how many there are would be another each time.
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

/** Names of the tables that are big, by themselves or all their parts together. */
async function tablesOf(name: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `SELECT ${name} AS name FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
     GROUP BY 1 HAVING sum(c.reltuples) >= ${BIG_TABLE_ROWS}`,
  );
  return rows.map((row) => row.name);
}

/** Every table that a plan reads or writes. */
function tablesIn(plan: Plan): string[] {
  return [plan['Relation Name'] ?? '', ...(plan.Plans ?? []).flatMap(tablesIn)];
}

function readInWhole(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(readInWhole)];
}

describe('on a registry and a ledger with real statistics', () => {
  it('every statement of a metered call, of a detail or lineage read and of a page of records runs on a kept plan from its sixth time on', async () => {
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

  it('a kept plan costs at most half as much again as one for the values, and reads no big table in whole', async () => {
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
    // Of what is cut into parts, each may be small.
    expect(await tablesOf('coalesce(i.inhparent, c.oid)::regclass::text')).toEqual(
      expect.arrayContaining(['listing', 'ended_run', 'subject_alias']),
    );
  });

  it('only the statements that ops/scaling.md names touch tables by account and tables by subject at once', async () => {
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
    const [, rows = ''] = /\| crosses, because \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(document) ?? [];
    const named = rows.replaceAll(/^(\|[^|]*).*$/gm, '$1');
    expect([...crossing].sort()).toEqual([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort());
  });

  it('a search and a list are planned for their values each time', async () => {
    for (const q of ['agent', 'nothing like this', null])
      await listAgents(database, { ...EVERYTHING, q, category: 'coding' });

    const kept = await database.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');

    expect(
      kept.filter(({ statement }) => /listing_words|row_number\(\) OVER \(ORDER/.test(statement)),
    ).toEqual([]);
  });
});
