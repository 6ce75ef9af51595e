import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { makeListing, type TestListing } from '../../testing/factories.ts';
import { openReadingProcess, type ReadingProcess } from '../../testing/http/reading-process.ts';

const MANY = 24;
/** Three where all of them come while the first two are under way; more where those are quick. */
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
  plain = await openReadingProcess(test.url, { keeps: false });
});
afterAll(async () => {
  for (const each of [keeping, plain]) await each?.close();
  await test?.close();
});

it.each([
  ['that keeps answers', () => keeping],
  ['that keeps none', () => plain],
])('many different agents asked for at once are few statements of a process %s', async (_name, processOf) => {
  const process = processOf();
  const before = process.statements();

  const answers = await Promise.all(
    listings.map(({ agentId }) => process.app.inject(`/api/agents/${agentId}`)),
  );

  expect(process.statements() - before).toBeLessThanOrEqual(MOST_STATEMENTS);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(listings.map(() => 200));
  expect(answers.map((answer) => answer.json().id)).toEqual(listings.map(({ agentId }) => agentId));
});

it('an id that nobody has fails alone among those asked for with it', async () => {
  const ids = ['AGT-ZZZZZZZZ', ...listings.slice(0, 5).map(({ agentId }) => agentId)];

  const answers = await Promise.all(ids.map((id) => plain.app.inject(`/api/agents/${id}`)));

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 200, 200, 200, 200, 200]);
});

it('a family is one statement beside the one of its relations, and families asked for at once are fewer than they are', async () => {
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
