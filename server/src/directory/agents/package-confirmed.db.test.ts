import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { makeArtifact, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { findExplained } from '../explanations/score-versions.queries.ts';
import { findArtifact, getAgent } from './get-agent.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test?.close());

const ROWS: readonly (readonly [
  npm: string | null,
  pypi: string | null,
  confirmed: string[],
  expected: boolean | null,
])[] = [
  [null, null, [], null],
  ['a', null, [], false],
  ['b', null, ['npm'], true],
  [null, 'c', ['pypi'], true],
  ['d', 'd', ['npm'], false],
  ['e', 'e', ['pypi'], false],
  ['f', 'f', ['npm', 'pypi'], true],
];

it('a package that a list names for an artifact counts only if it is the confirmed one of the listing', async () => {
  const made = await makeListing(test.database, { npmPackage: 'own' });
  await writeListings(test.database, 'UPDATE listing SET npm_confirmed = true WHERE subject_id = $1', [
    made.id,
  ]);
  const inside = async (npmPackage: string) => {
    const id = await makeArtifact(test.database, made, { npmPackage });
    const { places } = await findExplained(test.database, id, null, () => 0);
    return [places.isNpmConfirmed, (await findArtifact(test.database, id))?.npmPackage];
  };

  expect(await inside('own')).toEqual([true, 'own']);
  expect(await inside('other')).toEqual([false, null]);
});

it('a record says whether all packages of the listing are confirmed', async () => {
  await expectEveryRow(
    ROWS,
    (row) => JSON.stringify(row),
    async ([npmPackage, pypiPackage, confirmed, expected]) => {
      const { id, agentId } = await makeListing(test.database, { npmPackage, pypiPackage });
      await writeListings(
        test.database,
        'UPDATE listing SET npm_confirmed = $2, pypi_confirmed = $3 WHERE subject_id = $1',
        [id, confirmed.includes('npm'), confirmed.includes('pypi')],
      );

      expect((await getAgent(test.database, agentId)).packageConfirmed).toBe(expected);
    },
  );
});
