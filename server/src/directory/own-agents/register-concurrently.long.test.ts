import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { listingKey } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../../catalog/registry-locks.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { registerAgent } from './register-agent.ts';

const publicUrls = createPublicUrls('https://trust.example');
const MANY = 30;

let test: TestDatabase;

beforeEach(async () => {
  // Allows a long wait for a connection, because a busy machine is slow with many registrations at once, and this
  // test is not about that wait.
  test = await createTestDatabase({ acquireTimeoutMs: 60_000 });
});
afterEach(() => test.close());

const account = async (handle: string) => (await makeAccount(test.database, { handle })).accountId;

function register(accountId: string, repository: string, parentId: string | null = null) {
  return registerAgent(test.database, {
    ...{ repoHostUrl: `https://github.com/${repository}`, name: 'Robot', description: 'Draws maps.' },
    ...{ category: 'coding', tags: [], type: 'agent', parentId, accountId },
    ...{ allowedHosts: publicUrls.hosts, backend: embeddedBackend, publicUrls },
    lockCredential: async () => undefined,
  });
}

describe('concurrent registrations', () => {
  itAtNight(`all succeed: ${MANY} of one account`, { timeout: 120_000 }, async () => {
    const accountId = await account('busy');
    const names = Array.from({ length: MANY }, (_, number) => `busy/robot-${number}`);

    const outcomes = await Promise.allSettled(names.map((name) => register(accountId, name)));

    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const rows = await test.database.query(
      `SELECT count(*)::int AS listings, count(DISTINCT creator_id)::int AS creators,
         count(*) FILTER (WHERE trust IS NULL)::int AS unscored FROM listing JOIN listing_rank USING (subject_id)`,
    );
    expect(rows).toEqual([{ listings: MANY, creators: 1, unscored: 0 }]);
  });

  itAtNight('all succeed: one each of many accounts', { timeout: 120_000 }, async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, (_, number) => account(`racer-${number}`)));

    const outcomes = await Promise.allSettled(
      accounts.map((id, number) => register(id, `racer-${number}/robot`)),
    );

    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('of other accounts do not wait for a slow one', async () => {
    const [slow, quick] = [await account('slow'), await account('quick')];
    await register(slow, 'slow/first');
    let waiting: Promise<unknown> = Promise.resolve();
    let isTaken = false;

    await inTransaction(test.database, async (connection) => {
      // The last step of a registration scores its creator. The lock makes the registration of `slow` wait at that step.
      await connection.query(
        'SELECT FROM subject WHERE id = (SELECT subject_id FROM creator WHERE account_id = $1) FOR NO KEY UPDATE',
        [slow],
      );
      waiting = register(slow, 'slow/second');
      await untilBlocked(test.database, waiting);
      const other = register(quick, 'quick/robot').finally(() => {
        isTaken = true;
      });
      await untilBlocked(test.database, other, 2);
      expect(isTaken).toBe(true);
      await other;
    });

    await expect(waiting).resolves.toMatchObject({ isNew: true });
  });

  it('wait where they make edges to a listing that another change has locked, even where that shows late', async () => {
    const racer = await account('racer');
    const parent = await makeListing(test.database, { repository: 'old/one' });
    await test.database.query(
      `INSERT INTO relation (type, from_repository, to_repository, to_listing_id, directed, stated, source)
       VALUES ('fork_of', 'racer/robot', 'old/one', $1, true, true, 'test')`,
      [parent.id],
    );
    let isTaken = false;
    let racing: Promise<{ id: string }> | undefined;

    await inRegistryTransaction(test.database, async (connection) => {
      await lockKeys(connection, [listingKey(parent.id)]);
      racing = register(racer, 'racer/robot').finally(() => {
        isTaken = true;
      });
      await untilBlocked(test.database, racing);
      expect(isTaken).toBe(false);
    });

    const { id } = (await racing) ?? expect.fail();
    const rows = await test.database.query('SELECT parent_id AS parent FROM listing WHERE agent_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ parent: parent.id }]);
  });
});
