import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { setClock, shiftClock } from '../../../testing/clock.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { readLinks } from './link-account.ts';
import type { LinkedAccount } from './linked-account.queries.ts';
import { verifyLinkedAccount } from './verify-linked-account.ts';

let world: ProofWorld;

beforeEach(async () => {
  world = await openProofWorld();
});
afterEach(() => world.close());

const acme = (changes = {}) => world.standIn.world.account({ handle: 'Acme', ...changes });

async function everything(): Promise<unknown> {
  return world.database.query(
    `SELECT to_jsonb(k) AS link, (SELECT jsonb_agg(to_jsonb(c) ORDER BY c.subject_id) FROM creator c) AS creators,
       (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.subject_id) FROM listing l) AS listings FROM linked_account k`,
  );
}

describe('linking an account', () => {
  itAtNight('returns a code that is valid for 24 hours', async () => {
    const accountId = await world.account();

    const link = await world.link(accountId, '@acme');

    expect(link).toMatchObject({ state: 'pending', host: 'github.com', handle: 'acme', provedAt: null });
    expect(link.code).toMatch(/^trust-directory-[0-9a-z]{20}$/);
    const hours = (Date.parse(link.codeExpiresAt ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });

  it('again gives another code, and only the new one is valid', async () => {
    const accountId = await world.account();
    const first = await world.link(accountId, 'acme');
    const second = await world.link(accountId, 'ACME');
    acme({ profile: first.code });

    expect(second.id).toBe(first.id);
    expect(second.code).not.toBe(first.code);
    expect(await readLinks(world.database, accountId)).toHaveLength(1);
    await expect(world.verify(second)).rejects.toMatchObject({ code: 'proof_not_found' });
  });

  itAtNight.each([
    ['professional_network', 'linkedin.com'],
    ['repo_host', 'git.example.org'],
    ['node_packages', 'github.com'],
  ] as const)('of the kind %s on %s is left to the operator', async (kind, host) => {
    const accountId = await world.account();

    await expect(world.link(accountId, 'acme', kind, host)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('operator'),
    });
  });

  it('is limited to fifty, not counting those whose code has expired', async () => {
    const accountId = await world.account();
    for (let made = 0; made < 50; made += 1) await world.link(accountId, `acme-${made}`);
    await expect(world.link(accountId, 'one-more')).rejects.toMatchObject({ code: 'invalid_request' });

    await shiftClock(world.database, '25 hours');

    expect(await world.link(accountId, 'one-more')).toMatchObject({ state: 'pending' });
    expect(await readLinks(world.database, accountId)).toHaveLength(1);
  });
});

describe('requests to a host', () => {
  const PAUSES = [0, 0, 0, 0, 10, 20, 40, 80, 160, 320, 600, 600];
  const waiting = (seconds: number) => ({ code: 'rate_limited', details: { retryAfterSeconds: seconds } });

  it('have growing delays when repeated, which a new link does not reset', async () => {
    const accountId = await world.account();
    let link = await world.link(accountId, 'acme');
    let now = Date.parse('2026-03-01T10:00:00Z');
    const wait = async (ms: number) => {
      now += ms;
      await setClock(world.database, new Date(now).toISOString());
    };
    await wait(0);
    await expect(world.verify(link)).rejects.toMatchObject({ code: 'proof_not_found' });

    for (const pause of PAUSES) {
      if (pause > 0) {
        await wait(pause * 1_000 - 1);
        const asked = world.standIn.requests.length;
        await expect(world.verify(link)).rejects.toMatchObject(waiting(1));
        expect(world.standIn.requests).toHaveLength(asked);
        await world.database.query('DELETE FROM linked_account WHERE id = $1', [link.id]);
        link = await world.link(accountId, 'acme');
        await wait(1);
      }
      await expect(world.verify(link)).rejects.toMatchObject({ code: 'proof_not_found' });
    }
    await expect(world.verify(link)).rejects.toMatchObject(waiting(600));
  });

  itAtNight('have no delay for another account, for another host, and after an hour', async () => {
    const link = await world.link(await world.account(), 'acme');
    for (let times = 0; times < 5; times += 1) await expect(world.verify(link)).rejects.toThrow();
    await expect(world.verify(link)).rejects.toMatchObject(waiting(10));
    const others = [
      await world.link(await world.account(), 'acme'),
      await world.link(link.accountId, 'acme', 'node_packages', 'npm'),
    ];

    for (const other of others)
      await expect(world.verify(other)).rejects.toMatchObject({ code: 'proof_not_found' });
    await shiftClock(world.database, '1 hour');
    for (let times = 0; times < 5; times += 1)
      await expect(world.verify(link)).rejects.toMatchObject({ code: 'proof_not_found' });
    await expect(world.verify(link)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('proving it', () => {
  it('where its members alone could have published the code changes nothing, and says why', async () => {
    const link = await world.link(await world.account(), 'acme');
    acme({ isOrganisation: true });
    const files = { 'trust-directory.txt': link.code ?? '' };
    for (const name of ['acme/acme', 'acme/trust-directory']) world.standIn.world.repository({ name, files });

    await expect(world.verify(link)).rejects.toMatchObject({
      code: 'proof_not_found',
      message: expect.stringMatching(
        /only where owners alone can write, not in a file of a repository or website/,
      ),
    });

    expect(await world.database.query('SELECT 1 FROM proved_account')).toEqual([]);
  });

  it('stores its permanent id and its creation date on the host', async () => {
    const accountId = await world.account();
    const host = acme({ id: '4711', createdAt: '2014-03-02T10:00:00Z' });

    const link = await world.prove(accountId, host);

    expect(link).toMatchObject({
      state: 'proved',
      handle: 'Acme',
      provedBy: 'code',
      hostAccountId: '4711',
      hostAccountCreatedAt: '2014-03-02T10:00:00.000000Z',
      checkFailedAt: null,
    });
  });

  it.each(
    sampleUnlessNightly(
      [
        ['the code is not published', () => acme(), 'proof_not_found'],
        [
          'another code is published',
          () => acme({ profile: 'trust-directory-23456789abcdefghjkmn' }),
          'proof_not_found',
        ],
        ['nobody has the handle', () => undefined, 'proof_not_found'],
      ],
      ([what]) => what === 'another code is published',
    ),
  )('where %s changes nothing and says so', async (_name, arrange, code) => {
    await makeListing(world.database, { repository: 'acme/robot' });
    const link = await world.link(await world.account(), 'acme');
    arrange();
    const before = await everything();

    await expect(world.verify(link)).rejects.toMatchObject({ code });

    expect(await everything()).toEqual(before);
  });

  it('is refused after 24 hours, and accepted before', async () => {
    const link = await world.link(await world.account(), 'acme');
    acme({ profile: link.code });
    await shiftClock(world.database, '24 hours 1 second');

    await expect(world.verify(link)).rejects.toMatchObject({ code: 'code_expired' });

    await shiftClock(world.database, '23 hours 59 minutes');
    expect(await world.verify(link)).toMatchObject({ state: 'proved' });
  });

  it.each(
    sampleUnlessNightly(
      [
        ['fails', { kind: 'answer', status: 502 }],
        ['hangs up', { kind: 'hang_up' }],
        ['limits us', { kind: 'answer', status: 429, headers: { 'retry-after': '70' } }],
      ] as const,
      ([what]) => what === 'limits us',
    ),
  )('while the host %s changes nothing, and succeeds later', async (_name, trouble) => {
    const link = await world.link(await world.account(), 'acme');
    acme({ profile: link.code });
    const before = await everything();
    world.standIn.trouble(trouble);

    const refusal = world.verify(link);

    await expect(refusal).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('github.com'),
      details: { retryAfterSeconds: _name === 'limits us' ? 70 : 30 },
    });
    expect(await everything()).toEqual(before);
    expect(await world.verify(link)).toMatchObject({ state: 'proved' });
  });

  it("is for one's own links: a link of another account is not found", async () => {
    const link = await world.link(await world.account(), 'acme');
    acme({ profile: link.code });
    const stranger = { ...link, accountId: await world.account() };

    await expect(world.verify(stranger)).rejects.toMatchObject({ code: 'not_found' });

    expect(await world.verify(link)).toMatchObject({ state: 'proved' });
  });

  it.each([
    ['the code was asked for anew', (link) => world.link(link.accountId, 'acme'), 'code_expired'],
    [
      'the link was removed',
      ({ id }) => world.database.query('DELETE FROM linked_account WHERE id = $1', [id]),
      'not_found',
    ],
  ] as [string, (link: LinkedAccount) => Promise<unknown>, string][])(
    'comes to nothing where %s while the host was asked',
    async (_name, meanwhile, code) => {
      const listing = await makeListing(world.database, { repository: 'acme/robot' });
      const link = await world.link(await world.account(), 'acme');
      acme({ profile: link.code });
      world.standIn.onRequest(async () => void (await meanwhile(link)));

      await expect(world.verify(link)).rejects.toMatchObject({ code });

      expect(await world.listing(listing.id)).toMatchObject({ verified: false, creatorVerified: false });
      expect(await world.database.query('SELECT 1 FROM proved_account')).toEqual([]);
    },
  );

  it('fails if the session ends during the request to the host', async () => {
    const link = await world.link(await world.account(), 'acme');
    acme({ profile: link.code });
    const before = await everything();
    let times = 0;

    const refusal = verifyLinkedAccount(world.database, {
      accountId: link.accountId,
      linkId: link.id,
      backend: embeddedBackend,
      hosts: world.hosts,
      lockRecentSignIn: async () => {
        times += 1;
        if (times > 1) throw new DomainError('unauthorized', 'ended');
      },
    });

    await expect(refusal).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await everything()).toEqual(before);
  });

  it('holds no transaction during the request to the host', async () => {
    const link = await world.link(await world.account(), 'acme');
    acme({ profile: link.code });
    const open: unknown[] = [];
    world.standIn.onRequest(async () => {
      open.push(
        ...(await world.database.query(
          `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND xact_start IS NOT NULL AND backend_type = 'client backend'`,
        )),
      );
    });

    await world.verify(link);

    expect(open).toEqual([]);
    expect(world.standIn.requests.length).toBeGreaterThan(0);
  });

  it('of a package registry is valid for the creator, and takes nothing over', async () => {
    const accountId = await world.account();
    const listing = await makeListing(world.database, { repository: 'acme/robot' });
    const link = await world.link(accountId, 'acme', 'node_packages', 'npm');
    world.standIn.world.package({
      api: 'npm',
      name: 'robot',
      users: ['acme'],
      description: `Robot ${link.code}`,
    });

    expect(await world.verify(link)).toMatchObject({ state: 'proved', host: 'npmjs.com' });

    expect(await world.listing(listing.id)).toMatchObject({ creatorId: listing.creator.id, verified: false });
  });
});
