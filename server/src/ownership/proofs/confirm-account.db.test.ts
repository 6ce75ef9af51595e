import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shiftClock } from '../../../testing/clock.ts';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { findOpenClaims } from '../handles/listing-claims.queries.ts';
import { type Confirmation, confirmAccount } from './confirm-account.ts';
import { decideClaim } from './decide-claim.ts';
import { findLink, readLinks } from './link-account.ts';
import { recheckLinkedAccounts } from './recheck-linked-accounts.ts';

let world: ProofWorld;
let accountId: string;

beforeAll(async () => {
  world = await openProofWorld();
});
beforeEach(async () => {
  accountId = await world.account('somebody');
});
afterEach(() => world.empty());
afterAll(() => world.close());

function confirm(changes: Partial<Confirmation> = {}) {
  const parts = { hosts: world.hosts, backend: embeddedBackend };
  return confirmAccount(world.database, parts, {
    accountId,
    kind: 'repo_host',
    host: 'github.com',
    handle: 'acme',
    evidenceUrl: 'https://acme.example/we-are-somebody',
    hostAccountId: null,
    ...changes,
  });
}

describe("the operator's confirmation", () => {
  it('proves an account without a code, and learns its id from the host', async () => {
    const { id } = await makeListing(world.database, { repository: 'acme/robot' });
    world.standIn.world.account({ handle: 'Acme', id: '4711' });

    const link = await confirm();

    expect(link).toMatchObject({
      state: 'proved',
      provedBy: 'operator',
      handle: 'Acme',
      code: null,
      hostAccountId: '4711',
      evidenceUrl: 'https://acme.example/we-are-somebody',
    });
    expect(await world.listing(id)).toMatchObject({ verified: true, creatorVerified: true });
  });

  it('proves an owner whose name begins with ~, but nothing that lost its name to another repository', async () => {
    const host = 'git.sr.ht';
    const own = await makeListing(world.database, { host, repository: '~acme/robot' });
    const lost = await makeListing(world.database, {
      host,
      repository: '~acme/robot~1',
      creator: own.creator,
    });

    await confirm({ host, handle: '~acme', hostAccountId: '4711' });

    const parts = { hosts: world.hosts, backend: embeddedBackend };
    const claims = await findOpenClaims(world.database);
    expect(claims.map(({ reason }) => reason)).toEqual(['not_read', 'not_read']);
    const claimed = claims.find(({ listingId }) => listingId === own.id);
    await decideClaim(world.database, parts, { id: claimed?.id ?? '', decision: 'give' });

    expect(await world.listing(own.id)).toMatchObject({ verified: true, creatorVerified: true });
    expect(await world.listing(lost.id)).toMatchObject({ verified: false });
  });

  it('proves an account that cannot be read, for 60 days', async () => {
    const link = await confirm({ kind: 'professional_network', host: 'linkedin.com', handle: 'acme' });
    expect(link).toMatchObject({ state: 'proved', hostAccountId: null });

    await shiftClock(world.database, '31 days');
    await recheckLinkedAccounts({ database: world.database, backend: embeddedBackend, hosts: world.hosts });
    expect(await findLink(world.database, accountId, link.id)).toMatchObject({ state: 'proved' });

    await shiftClock(world.database, '60 days 1 second');
    expect(await findLink(world.database, accountId, link.id)).toMatchObject({ state: 'lapsed' });
    await confirm({ kind: 'professional_network', host: 'linkedin.com', handle: 'acme' });
    expect(await readLinks(world.database, accountId)).toMatchObject([{ state: 'proved' }]);
  });

  it('is checked again without a code, by the id only', async () => {
    const host = world.standIn.world.account({ handle: 'acme', id: '4711' });
    const link = await confirm();
    host.handle = 'acme-labs';
    await shiftClock(world.database, '31 days');

    await recheckLinkedAccounts({ database: world.database, backend: embeddedBackend, hosts: world.hosts });

    const now = await findLink(world.database, accountId, link.id);
    expect(now).toMatchObject({ handle: 'acme-labs', checkFailedAt: null });
  });

  it('with a given id sends no request to the host', async () => {
    await confirm({ hostAccountId: '4711' });

    expect(world.standIn.requests).toEqual([]);
  });

  it('is refused for a deleted account', async () => {
    await world.database.query('UPDATE account SET deleted_at = ledger_now() WHERE id = $1', [accountId]);

    await expect(confirm({ hostAccountId: '4711' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await readLinks(world.database, accountId)).toEqual([]);
  });

  it('is replaced by a proof by code', async () => {
    await confirm({ hostAccountId: '4711' });
    const other = await world.account();

    await world.prove(other, world.standIn.world.account({ handle: 'acme', id: '4711' }));

    expect(await readLinks(world.database, accountId)).toEqual([]);
    expect(await readLinks(world.database, other)).toMatchObject([{ state: 'proved' }]);
  });

  it.each([
    [{ evidenceUrl: 'javascript:alert(1)' }, 'invalid_request'],
    [{ evidenceUrl: 'acme.example' }, 'invalid_request'],
    [{ kind: 'website' }, 'invalid_request'],
    [{ host: 'github com' }, 'invalid_request'],
    [{ handle: 'ac me' }, 'invalid_request'],
    [{}, 'proof_not_found'],
  ])('%j is refused where it cannot be right', async (changes, code) => {
    await expect(confirm(changes)).rejects.toMatchObject({ code });

    expect(await readLinks(world.database, accountId)).toEqual([]);
  });

  it('changes nothing while the host does not respond', async () => {
    world.standIn.trouble({ kind: 'hang_up' });

    await expect(confirm()).rejects.toMatchObject({ code: 'unavailable' });

    expect(await readLinks(world.database, accountId)).toEqual([]);
  });
});
