import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { type ObservedFact, removeFacts, saveFacts } from './observed-facts.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.empty());
afterAll(() => test.close());

const contributors = (subjectId: string, count: number, source = 'github.com'): ObservedFact => ({
  subjectId,
  fact: 'contributors',
  value: { count },
  source,
  url: `https://${source}/someone/notes`,
  license: null,
});

const stored = () =>
  test.database.query(
    `SELECT value, source, observed_at FROM observed_fact ORDER BY source, fact`,
  ) as Promise<{ value: unknown; source: string; observed_at: Date }[]>;

it('replaces the fact of a source, and names the listings of which a value changed', async () => {
  const [one, other] = [await makeListing(test.database), await makeListing(test.database)];

  expect(await saveFacts(test.database, [contributors(one.id, 3), contributors(other.id, 4)])).toHaveLength(
    2,
  );
  expect(await saveFacts(test.database, [contributors(one.id, 3), contributors(other.id, 5)])).toEqual([
    other.id,
  ]);
  expect((await stored()).map(({ value }) => value)).toEqual(
    expect.arrayContaining([{ count: 3 }, { count: 5 }]),
  );
});

it('renews the time of a fact that is observed again without a change', async () => {
  const { id } = await makeListing(test.database);
  await saveFacts(test.database, [contributors(id, 3)]);
  await test.database.query("UPDATE observed_fact SET observed_at = '2026-01-01T00:00:00Z'");

  expect(await saveFacts(test.database, [contributors(id, 3)])).toEqual([]);
  expect((await stored())[0]?.observed_at.getTime()).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'));
});

it('keeps facts of several sources apart, and removes those of one', async () => {
  const { id } = await makeListing(test.database);
  await saveFacts(test.database, [contributors(id, 3), contributors(id, 4, 'gitlab.com')]);

  expect(await removeFacts(test.database, [id], 'contributors', 'github.com')).toEqual([id]);
  expect(await removeFacts(test.database, [id], 'contributors', 'github.com')).toEqual([]);
  expect((await stored()).map(({ source }) => source)).toEqual(['gitlab.com']);
});
