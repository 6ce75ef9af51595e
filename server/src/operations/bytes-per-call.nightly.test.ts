import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callInProcess, wordOf } from '../../../torture/call-in-process.ts';
import { giveCredits, makeAccount, type TestAccount } from '../../testing/factories.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../testing/import/import-workspace.ts';
import { operationParts } from '../../testing/operations/operation-parts.ts';
import { sampleFiles } from '../intake/import/import-files.ts';
import { embeddedBackend } from '../scoring/embedded/embedded-backend.ts';

const CALLS = 2_000;
/**
 * Maximum bytes that a call adds to tables and their indexes, without the change feed. The smallest of three laps counts:
 * random keys determine when an index page splits, and one page more is 4 bytes per call, so laps differ by up to 60 bytes.
 */
const MOST_BYTES = 620;
const AT_ONCE = 16;

let workspace: ImportWorkspace;
let account: TestAccount;
let subjects: string[];

beforeAll(async () => {
  workspace = await createImportWorkspace({
    imported: sampleFiles().filter((path) => path.endsWith('listings.ndjson')),
  });
  account = await makeAccount(workspace.database);
  await giveCredits(workspace.database, account.accountId, 1_000_000);
  const agents = await workspace.database.query<{ id: string }>(
    "SELECT agent_id AS id FROM listing WHERE type = 'agent' ORDER BY 1",
  );
  subjects = agents.map(({ id }) => id);
}, 120_000);
afterAll(() => workspace.close());

/** Settles calls for real agents in turn. */
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

type Sizes = Map<string, { rows: number; bytes: number }>;

/** Returns rows and bytes of each table with its indexes, after a vacuum. */
async function sizes(): Promise<Sizes> {
  await workspace.database.query('VACUUM ANALYZE');
  const tables = await workspace.database.query<{ name: string; rows: number; bytes: number }>(
    `SELECT relname AS name, reltuples::int AS rows, pg_total_relation_size(oid)::int AS bytes
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return new Map(tables.map(({ name, ...size }) => [name, size]));
}

/**
 * Returns the bytes that a call adds to tables in which it inserts rows. Other tables keep their row counts; how much
 * dead row versions extend them until the next vacuum depends on the machine's load.
 */
function bytesPerCall(before: Sizes, after: Sizes, isCounted: (name: string) => boolean): number {
  let added = 0;
  for (const [name, { rows, bytes }] of after) {
    const was = before.get(name) ?? { rows: 0, bytes: 0 };
    if (isCounted(name) && rows - was.rows > CALLS / 2) added += bytes - was.bytes;
  }
  return added / CALLS;
}

it(`a settled call stores less than ${MOST_BYTES} bytes, less than 220 of them for the score`, async () => {
  // Pages emptied by a vacuum are reused only after the next one.
  for (const _lap of [1, 2]) {
    await settleCalls();
    await sizes();
  }
  // Entries of the change feed are deleted after CHANGES_DAYS; all other rows stay.
  const isOfFeed = (name: string) => /^change(_|$)/.test(name);
  const laps: { score: number; feed: number; all: number }[] = [];
  for (const _lap of [1, 2, 3]) {
    const before = await sizes();
    await settleCalls();
    const after = await sizes();
    const added = (isCounted: (name: string) => boolean) => bytesPerCall(before, after, isCounted);
    laps.push({
      score: added((name) => name.startsWith('score_')),
      feed: added(isOfFeed),
      all: added((name) => !isOfFeed(name)),
    });
  }
  const least = (part: 'score' | 'feed' | 'all') => Math.min(...laps.map((lap) => lap[part]));

  expect(least('score')).toBeLessThan(220);
  expect(least('feed')).toBeLessThan(150);
  expect(least('all')).toBeLessThan(MOST_BYTES);
  expect(least('all')).toBeGreaterThan(400);
}, 240_000);
