import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { ensureAccountCreator } from '../../catalog/creators/save-creators.ts';
import { lockRegistry } from '../../catalog/registry-locks.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { registerAgent } from '../../directory/own-agents/register-agent.ts';
import { refreshListings, scheduleReadableHosts } from '../../intake/refresh/refresh-run.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { toDomainError } from '../../platform/http/failures/map-failure.ts';
import { scoreSubjects } from '../../scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';

const publicUrls = createPublicUrls('https://trust.example');
let world: ProofWorld;

beforeEach(async () => {
  world = await openProofWorld();
});
afterEach(() => world.close());

/** Returns one line per violation of the invariants. */
function breaches(): Promise<{ line: string }[]> {
  return world.database.query(
    `SELECT 'creator mark ' || c.handle AS line FROM creator c WHERE c.verified <>
       EXISTS (SELECT FROM proved_account p WHERE p.account_id = c.account_id)
     UNION ALL SELECT 'listing mark ' || l.repository FROM listing l JOIN creator c ON c.subject_id = l.creator_id
       WHERE l.verified <> EXISTS (SELECT FROM proved_account p WHERE p.account_id = c.account_id AND p.kind = 'repo_host'
         AND p.host = l.host AND p.host_account_id = l.host_owner_id)
     UNION ALL SELECT 'listing of a merged creator ' || l.repository FROM listing l JOIN creator c
       ON c.subject_id = l.creator_id AND c.merged_into IS NOT NULL
     UNION ALL SELECT 'name of a merged creator ' || a.label FROM subject_alias a JOIN creator c
       ON c.subject_id = a.subject_id AND c.merged_into IS NOT NULL
     UNION ALL SELECT 'nobody is called ' || c.host || ':' || c.handle FROM creator c WHERE NOT EXISTS (
       SELECT FROM subject_alias a WHERE a.label = c.host || ':' || lower(c.handle)
       AND a.subject_id = coalesce(c.merged_into, c.subject_id))
     UNION ALL SELECT 'proved twice ' || handle FROM proved_account GROUP BY kind, host, handle HAVING count(*) > 1
     UNION ALL SELECT 'total' WHERE (SELECT count(*) FROM listing WHERE verified) <>
       (SELECT coalesce(sum(difference), 0) FROM listing_total WHERE verified)`,
  );
}

function register(accountId: string, repository: string) {
  return registerAgent(world.database, {
    repoHostUrl: `https://github.com/${repository}`,
    name: 'Robot',
    description: 'Draws maps.',
    category: 'coding',
    tags: [],
    type: null,
    parentId: null,
    accountId,
    allowedHosts: publicUrls.hosts,
    backend: embeddedBackend,
    publicUrls,
    hosts: world.hosts,
    lockCredential: async () => undefined,
  });
}

/**
 * Retries a call after every temporary failure, as a client would. On a slow machine a call may wait too long for a
 * lock, a host may answer too late to confirm an owner, and frequent attempts are delayed.
 */
async function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const { code, message } = toDomainError(error);
      if (code === 'already_registered' && message.includes('try again once github.com can be read'))
        continue;
      if (code === 'rate_limited') await world.database.query('DELETE FROM host_asking');
      else if (code !== 'unavailable') throw error;
    }
  }
}

/**
 * Refreshes the listing until its owner is known. The host may have answered too late for the registration; in
 * production, the background refresh reads it later.
 */
async function untilOwnerIsRead(repository: string): Promise<void> {
  const { database, hosts } = world;
  const unread = 'SELECT subject_id AS id FROM listing WHERE repository = $1 AND host_owner_id IS NULL';
  for (;;) {
    const [listing] = await database.query<{ id: string }>(unread, [repository]);
    if (listing === undefined) return;
    const readable = await scheduleReadableHosts(database, hosts);
    await database.query(
      "UPDATE repository_refresh SET next_check_at = ledger_now() - interval '1 second' WHERE listing_id = $1",
      [listing.id],
    );
    const parts = { database, hosts, backend: embeddedBackend };
    await refreshListings(parts, readable, { signal: new AbortController().signal });
  }
}

async function accounts(count: number): Promise<string[]> {
  const made: string[] = [];
  for (let number = 0; number < count; number += 1) made.push(await world.account(`racer-${number}`));
  return made;
}

async function giveCreator(accountId: string): Promise<void> {
  await inTransaction(world.database, async (connection) => {
    await lockRegistry(connection);
    await ensureAccountCreator(connection, accountId);
  });
}

describe('at once', () => {
  it('several accounts prove one: the last one has all of it, the others nothing', async () => {
    const { id } = await makeListing(world.database, { repository: 'acme/robot' });
    const racers = await accounts(6);
    for (const racer of racers.slice(3)) await giveCreator(racer);
    const links = await Promise.all(racers.map((racer) => world.link(racer, 'acme')));
    world.standIn.world.account({ handle: 'acme', profile: links.map(({ code }) => code).join(' ') });

    const settled = await Promise.allSettled(links.map((link) => world.verify(link)));

    // The later proof ends the earlier link. If that happens before the earlier call reads its link again, the call
    // throws not_found.
    for (const each of settled)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'not_found' });
    const holders = await world.database.query<{ accountId: string }>(
      'SELECT account_id AS "accountId" FROM proved_account',
    );
    expect(holders).toHaveLength(1);
    const [creator] = await world.database.query<{ accountId: string }>(
      'SELECT account_id AS "accountId" FROM creator WHERE subject_id = $1',
      [(await world.listing(id)).creatorId],
    );
    expect(creator).toEqual(holders[0]);
    expect(await breaches()).toEqual([]);
  });

  it('a stranger registers while the owner proves and registers: one listing, the owner’s in the end', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [owner = '', stranger = ''] = await Promise.all(
        ['owner', 'stranger'].map((name) => world.account(`${name}-${round}`)),
      );
      const handle = `acme-${round}`;
      const host = world.standIn.world.account({ handle });
      const link = await world.link(owner, handle);
      host.profile = `${link.code}`;

      const [byStranger, byOwner] = await Promise.allSettled([
        patiently(() => register(stranger, `${handle}/robot`)),
        patiently(() => world.verify(link)).then(() => patiently(() => register(owner, `${handle}/robot`))),
        patiently(() => world.verify(link)),
      ]);

      if (byOwner.status === 'rejected') throw byOwner.reason;
      if (byStranger.status === 'rejected')
        expect(byStranger.reason).toMatchObject({ code: 'already_registered' });
      expect(await breaches()).toEqual([]);
      await untilOwnerIsRead(`${handle}/robot`);
      const listings = await world.database.query(
        `SELECT l.verified, c.account_id AS "accountId" FROM listing l JOIN creator c ON c.subject_id = l.creator_id
         WHERE l.repository = $1`,
        [`${handle}/robot`],
      );
      expect(listings).toEqual([{ verified: true, accountId: owner }]);
    }
    expect(await breaches()).toEqual([]);
  });

  it('a proof waits for registrations, imports and choices of parents', async () => {
    const host = world.standIn.world.account({ handle: 'acme' });
    const link = await world.link(await world.account(), 'acme');
    host.profile = `${link.code}`;
    let isProved = false;
    let proving: Promise<unknown> = Promise.resolve();

    await inTransaction(world.database, async (connection) => {
      await lockRegistry(connection);
      proving = world.verify(link).then(() => {
        isProved = true;
      });
      await untilBlocked(world.database, proving);
      expect(isProved).toBe(false);
    });

    await proving;
    expect(isProved).toBe(true);
  });

  it('scores are stored while an account changes owners repeatedly: all proofs succeed', async () => {
    const first = await makeListing(world.database, { repository: 'acme/robot', license: 'MIT' });
    const ids = [first.id, first.creator.id];
    for (let made = 0; made < 20; made += 1) {
      const { id } = await makeListing(world.database, {
        repository: `acme/robot-${made}`,
        parentId: first.id,
        license: 'MIT',
      });
      ids.push(id);
    }
    const host = world.standIn.world.account({ handle: 'acme' });
    const racers = await accounts(4);
    await giveCreator(racers[0] ?? '');
    await giveCreator(racers[1] ?? '');
    let isOver = false;
    const scoring = (async () => {
      while (!isOver) await scoreSubjects(world.database, embeddedBackend, ids);
    })();

    for (const racer of [...racers, ...racers]) await world.prove(racer, host);
    isOver = true;

    await scoring;
    expect(await breaches()).toEqual([]);
  });
});
