import { readFile } from 'node:fs/promises';
import { sampleFiles } from '../src/intake/import/import-files.ts';
import type { Connection, Database } from '../src/platform/database/connect.ts';
import { inTransaction } from '../src/platform/database/transaction.ts';
import type { ImportWorkspace } from './import/import-workspace.ts';

/** Imports the real sample several times under different owners, so that columns have realistic distributions. */
export async function importLargeSample(workspace: ImportWorkspace, times: number): Promise<void> {
  const files = sampleFiles().filter((path) => path.endsWith('listings.ndjson'));
  const lines = (await Promise.all(files.map((path) => readFile(path, 'utf8')))).flatMap((text) =>
    text.trim().split('\n'),
  );
  const rows = lines.map((line) => JSON.parse(line) as { repository: string; name: string });
  for (let time = 0; time < times; time += 1)
    await workspace.run([await workspace.file(rows.map((row) => copyOf(row, time)))]);
}

function copyOf(row: { repository: string; name: string }, time: number): { repository: string } {
  const own = { githubRepoId: null, npmPackage: null, pypiPackage: null, parentRepository: null };
  return { ...row, ...own, formerRepositories: [], repository: `t${time}-${row.repository}` } as never;
}

// Statements that copy an account. They run without foreign keys and triggers, because copies are as consistent as the
// original.
const COPIES = [
  `CREATE TEMP TABLE copy ON COMMIT DROP AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, $2::int) n`,
  `INSERT INTO account SELECT made.* FROM account a, copy c, jsonb_populate_record(NULL::account,
     to_jsonb(a) || jsonb_build_object('id', c.id, 'handle', 'copy-' || c.n)) made WHERE a.id = $1`,
  `INSERT INTO access_key SELECT made.* FROM access_key k, copy c, jsonb_populate_record(NULL::access_key, to_jsonb(k) ||
     jsonb_build_object('id', c.id, 'account_id', c.id, 'key_hash', sha256(c.id::text::bytea))) made WHERE k.account_id = $1`,
  `INSERT INTO credit_bucket (account_id, id, source, unit, period_kind, valid_from, valid_to, total, used)
   OVERRIDING SYSTEM VALUE SELECT c.id, b.id, b.source, b.unit, b.period_kind, b.valid_from, b.valid_to, b.total, b.used
   FROM credit_bucket b, copy c WHERE b.account_id = $1`,
  `INSERT INTO ended_run SELECT made.* FROM ended_run r, copy c, jsonb_populate_record(NULL::ended_run, to_jsonb(r) ||
     jsonb_build_object('account_id', c.id, 'ledger_id', gen_random_uuid(), 'key_id', c.id)) made WHERE r.account_id = $1`,
];

/** Copies one account with its keys, balances and history `times` times, and updates the planner's statistics. */
export async function copyAccount(database: Database, accountId: string, times: number): Promise<void> {
  await inTransaction(database, async (connection: Connection) => {
    await connection.query("SET LOCAL session_replication_role = 'replica'");
    for (const sql of COPIES)
      await connection.query(sql.replaceAll('$1', `'${accountId}'`).replaceAll('$2', String(times)));
  });
  await database.query('ANALYZE');
}
