import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { openProofWorld } from '../../../testing/proofs/proof-world.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { newSecret } from '../../platform/http/credentials/secret.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { delistListing } from '../delisting/delist-listing.ts';
import { type Registration, registerAgent } from './register-agent.ts';
import { lockRegistrationKey, storeRegistration } from './registration-keys.queries.ts';
import { registrationFingerprint } from './registration-keys.ts';

const publicUrls = createPublicUrls('https://trust.example');
const KEY = 'release-1';
const SENT = {
  repoHostUrl: 'https://github.com/Acme/Robot',
  name: 'Robot',
  description: 'Draws maps.',
  category: 'coding',
  tags: ['maps'],
  type: 'agent',
  parentId: null,
} as const;
let test: TestDatabase;
let accountId: string;

beforeEach(async () => {
  test = await createTestDatabase();
  ({ accountId } = await makeAccount(test.database, { handle: 'acme-labs' }));
});
afterEach(() => test.close());

function register(changes: Partial<Registration> = {}, database: Database = test.database) {
  return registerAgent(database, {
    ...SENT,
    accountId,
    idempotencyKey: KEY,
    allowedHosts: publicUrls.hosts,
    backend: embeddedBackend,
    publicUrls,
    lockCredential: async () => undefined,
    ...changes,
  });
}

async function keptKeys(): Promise<number> {
  const [row] = await test.database.query<{ n: number }>('SELECT count(*)::int AS n FROM registration_key');
  return row?.n ?? -1;
}

describe('a registration with a key', () => {
  it('returns the first result when repeated', async () => {
    const first = await register();

    expect(first.isNew).toBe(true);
    expect(await register()).toEqual(first);
    expect(await keptKeys()).toBe(1);
  });

  it.each(
    sampleUnlessNightly<[string, Partial<Registration>]>(
      [
        ['repository', { repoHostUrl: 'https://github.com/Acme/Other' }],
        ['name', { name: 'Other' }],
        ['description', { description: 'Draws cats.' }],
        ['category', { category: 'research' }],
        ['tags', { tags: [] }],
        ['type', { type: null }],
        ['parent', { parentId: 'AGT-7K2MQ9XD' }],
      ],
      ([what]) => what === 'name' || what === 'parent',
    ),
  )('is refused with another %s, and changes nothing', async (_name, changes) => {
    const { id } = await register();

    await expect(register(changes)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
      status: 422,
      message: expect.stringContaining(id),
    });

    expect(await test.database.query('SELECT name, tags, agent_id AS id FROM listing')).toEqual([
      { name: 'Robot', tags: ['maps'], id },
    ]);
  });

  itAtNight('is refused, as without a key, if the repository is listed under another key', async () => {
    await register();

    await expect(register({ idempotencyKey: 'release-2' })).rejects.toMatchObject({
      code: 'already_registered',
    });
    await expect(register({ idempotencyKey: null })).rejects.toMatchObject({ code: 'already_registered' });
    expect(await keptKeys()).toBe(1);
  });

  itAtNight('leaves the key free for another body after a refusal', async () => {
    await expect(register({ parentId: 'AGT-ZZZZZZZZ' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(register({ repoHostUrl: 'https://git.example/a/b' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await keptKeys()).toBe(0);

    expect(await register()).toMatchObject({ isNew: true });
  });

  it('is limited to its account', async () => {
    const first = await register();
    const other = await makeAccount(test.database, { handle: 'other-labs' });
    const repoHostUrl = 'https://github.com/other/robot';

    const second = await register({ accountId: other.accountId, repoHostUrl });

    expect(second).toMatchObject({ isNew: true });
    expect(second.id).not.toBe(first.id);
  });

  it('checks the credential first', async () => {
    const lockCredential = () => Promise.reject(new Error('the key was revoked'));

    await expect(register({ lockCredential })).rejects.toThrow('the key was revoked');
    expect(await keptKeys()).toBe(0);
  });

  it('refuses an access key as idempotency key, without repeating it', async () => {
    const secret = newSecret();

    const refusal = await register({ idempotencyKey: secret }).catch((error: unknown) => error);

    expect(refusal).toMatchObject({ code: 'invalid_request', message: expect.not.stringContaining(secret) });
    expect(await keptKeys()).toBe(0);
  });

  itAtNight('returns the current page of the listing when repeated', async () => {
    const { id } = await register();
    await test.database.query("UPDATE listing SET repository = 'Acme/Renamed'");

    expect(await register()).toEqual({
      id,
      listingUrl: 'https://trust.example/Acme/Renamed',
      isNew: true,
    });
  });

  itAtNight('returns the first result even after the operator delisted the listing', async () => {
    const first = await register();
    await delistListing(test.database, { text: first.id, reason: 'Spam', publicUrls });

    expect(await register()).toEqual(first);
    await expect(register({ idempotencyKey: 'release-2' })).rejects.toMatchObject({ code: 'gone' });
  });
});

describe('a takeover with a key', () => {
  it('returns the first result when repeated', async () => {
    const world = await openProofWorld();
    try {
      const [owner, stranger] = [await world.account('owner'), await world.account('stranger')];
      const by = { hosts: world.hosts, type: null };
      const listed = await register({ ...by, accountId: stranger, idempotencyKey: null }, world.database);
      await world.prove(owner, world.standIn.world.account({ handle: 'acme' }));

      const taken = await register({ ...by, accountId: owner }, world.database);

      expect(taken).toEqual({ ...listed, isNew: false });
      expect(await register({ ...by, accountId: owner }, world.database)).toEqual(taken);
    } finally {
      await world.close();
    }
  });
});

describe('concurrent registrations with one key', () => {
  it('create one listing and return the same result', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => register()));

    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.map(({ isNew }) => isNew)).toEqual(Array(8).fill(true));
    expect(await keptKeys()).toBe(1);
  });

  it('wait for one on another server, and return the same result', async () => {
    const kept = {
      ...{ fingerprint: registrationFingerprint(SENT), listingId: accountId, listingType: 'agent' as const },
      ...{ agentId: 'AGT-7K2MQ9XD', publicPath: '/a/Acme/Robot', isNew: true },
    };
    const keyed = { accountId, idempotencyKey: KEY };
    let waiting: Promise<unknown> = Promise.resolve();

    await inTransaction(test.database, async (connection) => {
      await lockRegistrationKey(connection, keyed);
      waiting = register();
      await untilBlocked(test.database, waiting);
      await storeRegistration(connection, keyed, kept);
    });

    await expect(waiting).resolves.toEqual({
      ...{ id: 'AGT-7K2MQ9XD', listingUrl: 'https://trust.example/Acme/Robot', isNew: true },
    });
    expect(await test.database.query('SELECT FROM listing')).toEqual([]);
  });
});
