import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/factories.ts';
import { loadFactsOfType } from './load-facts.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('facts that are read together are one statement; who is unknown is in nobody’s answer', async () => {
  const [{ subjectId: one }, { subjectId: other }] = [
    await makeListing(test.database),
    await makeListing(test.database),
  ];
  const asked = [one, '00000000-0000-7000-8000-000000000000', other, one];
  let statements = 0;
  const query: TestDatabase['database']['query'] = (sql, bind) => {
    statements += 1;
    return test.database.query(sql, bind);
  };
  const database = { ...test.database, query };

  const together = await Promise.all(asked.map((id) => loadFactsOfType(database, 'agent', [id])));

  expect(statements).toBe(1);
  expect(together.map((facts) => [...facts.keys()])).toEqual([[one], [], [other], [one]]);
  const alone = await loadFactsOfType(test.database, 'agent', [other]);
  expect(together[2]?.get(other)).toEqual({ ...alone.get(other), now: expect.any(Date) });
});
