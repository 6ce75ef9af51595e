import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing, type TestListing } from '../../../testing/factories.ts';
import { openReadingProcess, type ReadingProcess } from '../../../testing/http/reading-process.ts';

const MANY = 24;
/**
 * Maximum statements that the test accepts. The reads need three statements if all arrive while the first two
 * statements are in flight. They need more if the first two finish quickly.
 */
const MOST_STATEMENTS = MANY / 3;

let test: TestDatabase;
let listings: TestListing[];
let keeping: ReadingProcess;
let plain: ReadingProcess;

beforeAll(async () => {
  test = await createTestDatabase();
  listings = [];
  for (let place = 0; place < MANY; place += 1) listings.push(await makeListing(test.database));
  keeping = await openReadingProcess(test.url);
  plain = await openReadingProcess(test.url, { isCaching: false });
});
afterAll(async () => {
  for (const each of [keeping, plain]) await each?.close();
  await test?.close();
});

it.each([
  ['that keeps answers', () => keeping],
  ['that keeps none', () => plain],
])('batches concurrent reads of different agents into few statements %s', async (_name, processOf) => {
  const process = processOf();
  const before = process.statements();

  const answers = await Promise.all(
    listings.map(({ agentId }) => process.app.inject(`/api/agents/${agentId}`)),
  );

  expect(process.statements() - before).toBeLessThanOrEqual(MOST_STATEMENTS);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(listings.map(() => 200));
  expect(answers.map((answer) => answer.json().id)).toEqual(listings.map(({ agentId }) => agentId));
});

it('fails only the read of an unknown id in a batch', async () => {
  const ids = ['AGT-ZZZZZZZZ', ...listings.slice(0, 5).map(({ agentId }) => agentId)];

  const answers = await Promise.all(ids.map((id) => plain.app.inject(`/api/agents/${id}`)));

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 200, 200, 200, 200, 200]);
});

it('reads a family in one statement plus one for its relations, and batches concurrent families', async () => {
  const parent = listings[0] as TestListing;
  await test.database.query(
    "UPDATE listing SET parent_id = $1, parent_relation = 'fork_of', parent_stated = true WHERE subject_id <> $1",
    [parent.subjectId],
  );
  const before = plain.statements();

  const { root, descendants } = (await plain.app.inject(`/api/agents/${parent.agentId}/lineage`)).json();

  expect([root.id, descendants.length]).toEqual([parent.agentId, MANY - 1]);
  expect(plain.statements() - before).toBe(2);
  const answers = await Promise.all(
    listings.map(({ agentId }) => plain.app.inject(`/api/agents/${agentId}/lineage`)),
  );
  expect(plain.statements() - before).toBeLessThanOrEqual(2 + MANY + MANY / 2);
  expect(answers.map((answer) => answer.json().root.id)).toEqual(listings.map(({ agentId }) => agentId));
});
