import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { listOwnAgents } from './own-agents.ts';

let test: TestDatabase;
let accountId: string;
let newestFirst: string[];

beforeAll(async () => {
  test = await createTestDatabase();
  ({ accountId } = await makeAccount(test.database));
  const creator = await makeCreator(test.database, { accountId });
  const listed: string[] = [];
  // Gives two listings the same time, as an import does.
  for (const day of ['01', '02', '02', '03']) {
    const listing = await makeListing(test.database, {
      creator,
      listedAt: `2026-11-${day}T00:00:00.000001Z`,
    });
    listed.push(listing.agentId);
  }
  newestFirst = listed.reverse();
  const { accountId: other } = await makeAccount(test.database);
  const stranger = await makeCreator(test.database, { accountId: other });
  await makeListing(test.database, { creator: stranger });
  await makeListing(test.database);
});
afterAll(() => test.close());

const list = (limit: number, cursor: string | null = null) =>
  listOwnAgents(test.database, accountId, { limit, cursor });

it.each([1, 2, 3])(
  'lists every own listing once, newest first, %i per page, and none of others',
  async (limit) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(limit, cursor);
      expect(page.records.length).toBeLessThanOrEqual(limit);
      seen.push(...page.records.map(({ agentId }) => agentId));
      cursor = page.nextCursor;
    } while (cursor !== null);

    expect(seen).toEqual(newestFirst);
  },
);

it('returns no cursor on the last page', async () => {
  expect((await list(4)).nextCursor).toBeNull();
});

it('returns an empty list for an account without listings', async () => {
  const { accountId: newcomer } = await makeAccount(test.database);

  const page = await listOwnAgents(test.database, newcomer, { limit: 20, cursor: null });

  expect(page).toEqual({ records: [], nextCursor: null });
});

it.each(['', 'W10', 'nonsense', Buffer.from('AGT-7K2MQ9XD;').toString('base64url')])(
  'refuses the cursor %j of another list',
  async (cursor) => {
    await expect(list(2, cursor)).rejects.toMatchObject({ code: 'invalid_request' });
  },
);
