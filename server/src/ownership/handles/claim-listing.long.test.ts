import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import { presentAgent } from '../../directory/agents/agent.presenter.ts';
import { getAgent } from '../../directory/agents/get-agent.ts';
import { type Registration, registerAgent } from '../../directory/own-agents/register-agent.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';

const publicUrls = createPublicUrls('https://trust.example');
let world: ProofWorld;
let owner: string;
let stranger: string;

beforeEach(async () => {
  world = await openProofWorld();
  [owner, stranger] = [await world.account('owner'), await world.account('stranger')];
});
afterEach(() => world.close());

function register(accountId: string, changes: Partial<Registration> = {}) {
  return registerAgent(world.database, {
    repoHostUrl: 'https://github.com/Acme/Robot',
    name: 'Robot',
    description: 'Draws maps.',
    category: 'coding',
    tags: ['maps'],
    type: null,
    parentId: null,
    accountId,
    allowedHosts: publicUrls.hosts,
    backend: embeddedBackend,
    publicUrls,
    hosts: world.hosts,
    lockCredential: async () => undefined,
    ...changes,
  });
}

const proveAcme = (accountId: string) =>
  world.prove(accountId, world.standIn.world.account({ handle: 'acme' }));
const shown = async (id: string) => presentAgent(await getAgent(world.database, id), new Map());

describe("registering another's repository", () => {
  it('lists it under the caller, unverified, even where the caller is a verified creator', async () => {
    await world.prove(stranger, world.standIn.world.account({ handle: 'strange-labs' }));

    const { id, isNew } = await register(stranger);

    expect(isNew).toBe(true);
    expect(await shown(id)).toMatchObject({
      verified: false,
      creator: { handle: 'stranger', verified: true, trustScore: expect.any(Number) },
    });
  });
});

describe("the proved owner's registration", () => {
  itAtNight('of a new repository is verified at once', async () => {
    await proveAcme(owner);

    const { id } = await register(owner);

    expect(await shown(id)).toMatchObject({ verified: true, creator: { handle: 'owner', verified: true } });
  });

  it('of what another account listed keeps the id and gives it to them, with their text and a new score', async () => {
    const first = await register(stranger);
    const before = await shown(first.id);
    await proveAcme(owner);
    expect(await shown(first.id)).toMatchObject({ verified: false, creator: { handle: 'stranger' } });

    const again = await register(owner, { name: 'The Robot', description: 'It draws.', tags: ['robot'] });

    expect(again).toEqual({ ...first, isNew: false });
    const now = await shown(first.id);
    expect(now).toMatchObject({
      name: 'The Robot',
      description: 'It draws.',
      tags: ['robot'],
      verified: true,
      creator: { handle: 'owner', verified: true },
    });
    expect(now.trustScore).toBeGreaterThan(before.trustScore ?? 100);
    const [former] = await world.database.query<{ handle: string }>(
      'SELECT c.handle FROM listing_creator_history h JOIN creator c ON c.subject_id = h.creator_id',
    );
    expect(former?.handle).toBe('stranger');
    const found = await resolveSubject(world.database, 'agent', 'The Robot', publicUrls);
    expect(found.agentId).toBe(first.id);
  });

  itAtNight('of an imported listing replaces its text once; then it is already registered', async () => {
    const { agentId } = await makeListing(world.database, { repository: 'acme/robot', type: 'agent' });
    await proveAcme(owner);

    expect(await register(owner, { name: 'The Robot' })).toMatchObject({ id: agentId, isNew: false });

    expect(await shown(agentId)).toMatchObject({ name: 'The Robot', verified: true });
    await expect(register(owner)).rejects.toMatchObject({ code: 'already_registered' });
  });

  it('under a handle that another host account had before takes nothing that that one registered', async () => {
    const former = world.standIn.world.account({ handle: 'acme' });
    await world.prove(stranger, former);
    const { id } = await register(stranger);
    former.handle = 'acme-renamed';
    await proveAcme(owner);

    await expect(register(owner)).rejects.toMatchObject({ code: 'already_registered' });

    expect(await shown(id)).toMatchObject({ verified: false, creator: { handle: 'stranger' } });
    await world.database.query(
      'UPDATE linked_account SET removed_at = ledger_now(), check_due_at = NULL WHERE account_id = $1',
      [stranger],
    );
    await expect(register(owner)).rejects.toMatchObject({ code: 'already_registered' });
  });

  it('locks the listing and the creators that it scores together, so that it never deadlocks with charges', async () => {
    const { database } = world;
    const { id, agentId } = await makeListing(database, { repository: 'acme/robot', type: 'agent' });
    await proveAcme(owner);
    const creators = await database.query<{ id: string }>(
      'SELECT subject_id AS id FROM creator WHERE account_id = $1',
      [owner],
    );
    const [lower, higher] = [id, ...creators.map((creator) => creator.id)].sort() as [string, string];

    let registering: Promise<unknown> | undefined;
    await inTransaction(database, async (charging) => {
      await lockSubjects(charging, [lower]);
      registering = register(owner, { name: 'The Robot' });
      await untilBlocked(database, registering);
      // So that the charge would find a deadlock, and fail.
      await charging.query("SET LOCAL deadlock_timeout = '1ms'");
      await lockSubjects(charging, [higher]);
    });

    expect(await registering).toMatchObject({ id: agentId, isNew: false });
  });

  itAtNight('cannot change the type, and need not name it', async () => {
    const { agentId } = await makeListing(world.database, { repository: 'acme/robot', type: 'skill' });
    await proveAcme(owner);

    const changed = register(owner, { type: 'agent' });

    await expect(changed).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(agentId),
    });
    expect(await register(owner)).toMatchObject({ id: agentId });
  });

  itAtNight('may state a parent other than itself', async () => {
    const { agentId } = await makeListing(world.database, { repository: 'acme/robot', type: 'agent' });
    const parent = await makeListing(world.database);
    await proveAcme(owner);

    await register(owner, { parentId: agentId });
    await world.database.query('UPDATE listing SET registered_by = NULL');
    await register(owner, { parentId: parent.agentId });

    const [row] = await world.database.query('SELECT parent_id AS id FROM listing WHERE agent_id = $1', [
      agentId,
    ]);
    expect(row).toEqual({ id: parent.id });
  });

  it.each(
    sampleUnlessNightly(
      [
        [
          'whose proof was removed',
          'UPDATE linked_account SET removed_at = ledger_now(), check_due_at = NULL',
        ],
        [
          'whose proof has lapsed',
          "UPDATE linked_account SET checked_at = ledger_now() - interval '61 days'",
        ],
        ['who proved another host', "UPDATE linked_account SET host = 'gitlab.com'"],
        ['who proved another kind of account', "UPDATE linked_account SET kind = 'node_packages'"],
        ['who proved another account', "UPDATE linked_account SET handle = 'acme2', host_account_id = '1'"],
      ],
      ([whose]) => whose === 'whose proof was removed',
    ),
  )('is anybody’s registration of one %s', async (_name, change) => {
    const { id } = await register(stranger);
    await proveAcme(owner);
    await world.database.query(change);

    const refusal = register(owner);

    await expect(refusal).rejects.toMatchObject({ code: 'already_registered' });
    expect(await shown(id)).toMatchObject({ name: 'Robot', creator: { handle: 'stranger' } });
  });
});
