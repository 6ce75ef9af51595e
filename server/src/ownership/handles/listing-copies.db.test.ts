import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { findOutdatedCopies } from '../../../testing/outdated-copies.ts';
import { type MadeListing, makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { saveIdentity } from '../../catalog/listings/judge-identity.queries.ts';
import type { Database } from '../../platform/database/connect.ts';
import { moveAllListings } from './handle.queries.ts';
import { moveListings } from './ownership.queries.ts';
import { restoreRegistryText, saveRegistryText } from './registry-text.queries.ts';

const FORMER = 'SELECT listing_id AS listing, creator_id AS creator FROM listing_creator_history ORDER BY id';

/** Creates a listing whose verified flag is based on its name alone. */
async function makeVerified() {
  const test = await createTestDatabase();
  onTestFinished(() => test.close());
  return {
    database: test.database,
    listing: await makeListing(test.database, { verified: true, tags: ['one'] }),
  };
}

it.each<[string, (database: Database, listing: MadeListing) => Promise<void>]>([
  [
    'a reading without an owner',
    (database, { id }) =>
      saveIdentity(database, { id, hostRepositoryId: '1', hostOwnerId: null, doubt: 'license_differs' }),
  ],
  [
    'another creator',
    async (database, { id }) => moveListings(database, [id], (await makeCreator(database)).id),
  ],
])('ends the verified flag in all copies: %s', async (_writer, write) => {
  const { database, listing } = await makeVerified();

  await write(database, listing);

  expect(await database.query('SELECT verified FROM listing_order')).toEqual([{ verified: false }]);
  expect(await findOutdatedCopies(database)).toEqual([]);
});

it('a restored text of the registry is in all copies', async () => {
  const { database, listing } = await makeVerified();
  await saveRegistryText(database, listing.id);
  await database.query(
    "UPDATE listing_registry_words SET name = 'Other', category = 'data', tags = '{two}', kind = 'plugin'",
  );
  const { accountId } = await makeAccount(database);
  await database.query('UPDATE listing SET registered_by = $1', [accountId]);

  await restoreRegistryText(database, [listing.id]);

  expect(await database.query('SELECT category, kind, tags FROM listing_order')).toEqual([
    { category: 'data', kind: 'plugin', tags: ['two'] },
  ]);
  expect(await findOutdatedCopies(database)).toEqual([]);
});

it('a listing keeps every former creator, and none if it stays with its creator', async () => {
  const { database, listing } = await makeVerified();
  const [second, third] = [await makeCreator(database), await makeCreator(database)];

  for (const { id } of [listing.creator, second, second]) await moveListings(database, [listing.id], id);
  await moveAllListings(database, second.id, third.id);

  expect(await database.query(FORMER)).toEqual([
    { listing: listing.id, creator: listing.creator.id },
    { listing: listing.id, creator: second.id },
  ]);
});
