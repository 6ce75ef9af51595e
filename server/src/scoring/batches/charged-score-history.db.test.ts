import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import { enqueueConcurrentlyScored, enqueueOvertaken } from '../queue/scoring-queue.queries.ts';
import { scoreBatch } from './score-batch.ts';

const VERSIONS = 20_000;
/** Maximum 8 kB pages that a statement reads: enough for one index lookup per subject and for the insert. */
const MOST_PAGES = 50;

interface Plan {
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/** Creates a subject with a score and this many versions of it, and as many versions of others. */
async function makeHistory(): Promise<string> {
  const { id } = await makeListing(test.database, { stars: 1 });
  await scoreBatch(test.database, embeddedBackend, [id], new AbortController().signal);
  await test.database.query(
    `INSERT INTO score_version (subject_id, version, content)
     SELECT gen_random_uuid(), ledger_now(), gen_random_uuid() FROM generate_series(1, $1::int)`,
    [VERSIONS],
  );
  await test.database.query(
    `INSERT INTO score_version (subject_id, version, content, fresh_at)
     SELECT e.subject_id, ledger_now() - n * interval '1 minute', e.content, ledger_now()
     FROM score_evidence e CROSS JOIN generate_series(1, $2::int) n WHERE e.subject_id = $1`,
    [id, VERSIONS],
  );
  await test.database.query('ANALYZE score_version, score_evidence');
  return id;
}

/** Wraps a connection so that each statement runs with EXPLAIN ANALYZE and its plan is recorded. */
function explaining(plans: Plan[]): TestDatabase['database'] {
  return {
    ...test.database,
    async query(sql, bind) {
      const [row] = await test.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
        bind,
      );
      if (row) plans.push(row['QUERY PLAN'][0].Plan);
      return [];
    },
  };
}

const tablesOf = (plan: Plan): string[] => [
  plan['Relation Name'] ?? '',
  ...(plan.Plans ?? []).flatMap(tablesOf),
];

it('whether a subject was scored since a moment is found by its versions alone, and without those before', async () => {
  const id = await makeHistory();
  const plans: Plan[] = [];
  const since = new Date().toISOString();

  await enqueueOvertaken(explaining(plans), [{ id, since, version: since }]);
  await enqueueConcurrentlyScored(explaining(plans), [{ subjectId: id, version: since, seen: since }]);

  // The plans must not read the evidence table: with that join, PostgreSQL may choose a plan that reads all
  // versions, because it estimates the same cost for it.
  for (const plan of plans)
    expect(new Set(tablesOf(plan))).toEqual(new Set(['', 'score_due', 'score_version']));
  const [overtaken, crossed] = plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
  expect(overtaken).toBeLessThanOrEqual(MOST_PAGES);
  expect(crossed).toBeLessThanOrEqual(MOST_PAGES);
});
