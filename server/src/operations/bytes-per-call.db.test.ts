import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callInProcess, wordOf } from '../../../torture/call-in-process.ts';
import { giveCredits, makeAccount, type TestAccount } from '../../testing/factories.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../testing/import/import-workspace.ts';
import { operationParts } from '../../testing/operations/operation-parts.ts';
import { sampleFiles } from '../import/sample-files.ts';
import { embeddedBackend } from '../scoring/embedded/embedded-backend.ts';

const CALLS = 2_000;
/** A page is 4 bytes of each call, and where random keys fall decides when a page of an index is full. */
const MOST_BYTES = 640;
const AT_ONCE = 16;

let workspace: ImportWorkspace;
let account: TestAccount;
let subjects: string[];

beforeAll(async () => {
  workspace = await createImportWorkspace();
  await workspace.run(sampleFiles().filter((path) => path.endsWith('listings.ndjson')));
  account = await makeAccount(workspace.database);
  await giveCredits(workspace.database, account.accountId, 1_000_000);
  const agents = await workspace.database.query<{ id: string }>(
    "SELECT agent_id AS id FROM listing WHERE type = 'agent' ORDER BY 1",
  );
  subjects = agents.map(({ id }) => id);
}, 120_000);
afterAll(() => workspace.close());

/** Calls about one real agent after the other, all settled. */
async function settleCalls(): Promise<void> {
  const parts = operationParts(workspace.database, { backend: embeddedBackend });
  const secret = account.key.secret;
  let next = 0;
  const work = async () => {
    while (next < CALLS) {
      const subject = subjects[next++ % subjects.length] as string;
      expect(await wordOf(callInProcess(parts, { secret, subject, idempotencyKey: randomUUID() }))).toBe(
        'settled',
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Bytes of everything in the schema, and of scores alone, with indexes, as a vacuum leaves them. */
async function bytes(): Promise<{ all: number; scores: number }> {
  await workspace.database.query('VACUUM');
  const [row] = await workspace.database.query<{ all: number; scores: number }>(
    `SELECT sum(pg_total_relation_size(oid))::bigint AS all,
       sum(pg_total_relation_size(oid)) FILTER (WHERE relname IN ('score_version', 'score_evidence'))::bigint AS scores
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return { all: Number(row?.all), scores: Number(row?.scores) };
}

it(`a settled call leaves less than ${MOST_BYTES} bytes, of them less than 220 of score`, async () => {
  // Pages that a vacuum empties can be used again after the next one.
  for (const _lap of [1, 2]) {
    await settleCalls();
    await bytes();
  }
  const before = await bytes();
  await settleCalls();
  const after = await bytes();

  expect((after.scores - before.scores) / CALLS).toBeLessThan(220);
  expect((after.all - before.all) / CALLS).toBeLessThan(MOST_BYTES);
  expect((after.all - before.all) / CALLS).toBeGreaterThan(400);
}, 240_000);
