import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing, type TestListing } from '../../../testing/factories.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { RankedAlias } from './found-subject.fragment.ts';
import { findSubjects } from './found-subject.queries.ts';
import { createPublicUrls } from './public-path.ts';

const NAMING = createPublicUrls('http://127.0.0.1:4000');
const GITLAB_FIRST = createPublicUrls('http://127.0.0.1:4000', ['gitlab.com', 'github.com']);

let test: TestDatabase;
let listings: TestListing[];
let statements: string[];
/** The test database, with its statements recorded in `statements`. */
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  listings = [await makeListing(test.database), await makeListing(test.database)];
  await test.database.query("UPDATE listing SET host = 'gitlab.com', repository = $2 WHERE subject_id = $1", [
    listings[1]?.subjectId,
    listings[0]?.repository,
  ]);
  database = {
    ...test.database,
    query: (sql, bind) => {
      statements.push(sql);
      return test.database.query(sql, bind);
    },
  };
});
afterAll(() => test.close());

const label = (text: string): RankedAlias[] => [{ label: text, type: 'agent', place: 0 }];

it('concurrent lookups are one statement, with the same results as single ones', async () => {
  const [one, other] = listings.map(({ subjectId }) => label(subjectId)) as [RankedAlias[], RankedAlias[]];
  const asked = [
    [one, NAMING],
    [label('nothing of that name'), NAMING],
    [[...one, ...other], NAMING],
    [other, GITLAB_FIRST],
    [label('\u0000 and \ud83d, which no text can hold'), NAMING],
    [other, NAMING],
  ] as const;
  statements = [];

  const together = await Promise.all(
    asked.map(([labels, publicUrls]) => findSubjects(database, labels, 10, publicUrls)),
  );

  expect(statements).toHaveLength(1);
  const alone = [];
  for (const [labels, publicUrls] of asked)
    alone.push(await findSubjects(test.database, labels, 10, publicUrls));
  expect(together).toEqual(alone);
  expect(together.map((found) => found.length)).toEqual([1, 0, 2, 1, 0, 1]);
  // The meaning of a bare name depends on the host order.
  expect([together[3]?.[0]?.holdsBareName, together[5]?.[0]?.holdsBareName]).toEqual([true, false]);
});
