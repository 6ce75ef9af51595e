import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shiftClock } from '../../../testing/clock.ts';
import { account as accountRow } from '../../../testing/import/rows.ts';
import { saveRows } from '../../../testing/import/save-rows.ts';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import type { StandInAccount } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { lockRegistry } from '../../catalog/registry-locks.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import { parseRow } from '../../intake/import/parse-row.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import type { LinkedAccount } from './linked-account.queries.ts';
import { recheckLinkedAccounts } from './recheck-linked-accounts.ts';

const publicUrls = createPublicUrls('https://trust.example');
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

const HOSTS = { bluesky: ['social', 'bsky.app'], telegram: ['messaging', 't.me'] } as const;

/** Links an account of a platform, publishes the code there and verifies it. */
async function prove(on: StandInAccount, api: keyof typeof HOSTS, by = accountId): Promise<LinkedAccount> {
  const [kind, host] = HOSTS[api];
  const link = await world.link(by, on.handle, kind, host);
  on.profile = `News of robots. ${link.code}`;
  return world.verify(link);
}

const lead = (text: string, type: SubjectType = 'social_account') =>
  resolveSubject(world.database, type, text, publicUrls).then(
    ({ id }) => id,
    (error: { code: string }) => error.code,
  );

async function stored(id: string) {
  const [row] = await world.database.query<Record<string, unknown>>(
    `SELECT p.*, s.name AS "subjectName", s.current_version IS NOT NULL AS scored FROM platform_account p
     JOIN subject s ON s.id = p.subject_id WHERE p.subject_id = $1`,
    [id],
  );
  return row;
}

async function importRow(handle: string, facts: Record<string, unknown>): Promise<void> {
  const parsed = parseRow(JSON.stringify(accountRow('bluesky', handle, facts)));
  if ('reason' in parsed) throw new Error(parsed.reason);
  await inTransaction(world.database, async (connection) => {
    await lockRegistry(connection);
    await saveRows(connection, [parsed]);
  });
}

describe('a social or messaging account that is proved', () => {
  it('becomes a subject with exactly what its platform shows', async () => {
    const on = world.standIn.world.account({ api: 'bluesky', handle: 'acme.example', followers: 1200 });

    await prove(on, 'bluesky');

    const id = await lead('bluesky:acme.example');
    expect(await stored(id)).toMatchObject({
      type: 'social_account',
      kind: 'account',
      platform: 'bluesky',
      handle: 'acme.example',
      platform_account_id: `did:plc:${on.id}`,
      name: on.name,
      url: 'https://bsky.app/profile/acme.example',
      audience: 1200,
      engagement: null,
      audience_day_growth: null,
      cross_link: null,
      scam_flag: null,
      source: 'linked account',
    });
    expect((await stored(id))?.observed_at).not.toBeNull();
    expect(await lead('https://bsky.app/profile/acme.example')).toBe(id);
    expect(await lead('bluesky:acme.example', 'messaging_account')).toBe('subject_not_found');
    const [link] = await world.database.query('SELECT subject_id AS id FROM linked_account');
    expect(link).toEqual({ id });
  });

  it('is a messaging account where it is a channel', async () => {
    const on = world.standIn.world.account({ api: 'telegram', handle: 'acme_news', id: '1234567' });

    await prove(on, 'telegram');

    const id = await lead('telegram:acme_news', 'messaging_account');
    expect(await stored(id)).toMatchObject({ kind: 'channel', platform: 'telegram' });
  });

  it('that is already listed keeps its id and what its platform does not show', async () => {
    await importRow('acme.example', { engagement: 0.02, audience: 5, createdAt: '2020-01-01' });
    const id = await lead('bluesky:acme.example');
    const on = world.standIn.world.account({ api: 'bluesky', handle: 'acme.example', followers: 1200 });

    await prove(on, 'bluesky');

    expect(await lead('bluesky:acme.example')).toBe(id);
    expect(await stored(id)).toMatchObject({
      engagement: 0.02,
      audience: 1200,
      platform_account_id: `did:plc:${on.id}`,
      scored: true,
    });
  });

  it('that is renamed stays the same subject, and its old handle still leads there', async () => {
    const on = world.standIn.world.account({ api: 'bluesky', handle: 'acme.example' });
    await prove(on, 'bluesky');
    const id = await lead('bluesky:acme.example');
    on.handle = 'robots.example';

    await prove(on, 'bluesky');

    expect(await lead('bluesky:robots.example')).toBe(id);
    expect(await lead('bluesky:acme.example')).toBe(id);
  });

  it('under a handle that another account had is another subject', async () => {
    const first = world.standIn.world.account({ api: 'bluesky', handle: 'acme.example' });
    await prove(first, 'bluesky');
    const former = await lead('bluesky:acme.example');
    first.handle = 'gone.example';
    const second = world.standIn.world.account({ api: 'bluesky', handle: 'acme.example' });

    await prove(second, 'bluesky', await world.account('somebody-else'));

    const now = await lead('bluesky:acme.example');
    expect(now).not.toBe(former);
    expect(await lead(former)).toBe(former);
    expect((await stored(former))?.handle).toBe(`acme.example~did:plc:${first.id}`);
  });

  it('is read again with every check', async () => {
    const on = world.standIn.world.account({ api: 'bluesky', handle: 'acme.example', followers: 10 });
    await prove(on, 'bluesky');
    on.followers = 99;
    await shiftClock(world.database, '31 days');

    await recheckLinkedAccounts({ database: world.database, backend: embeddedBackend, hosts: world.hosts });

    expect(await stored(await lead('bluesky:acme.example'))).toMatchObject({ audience: 99 });
  });
});

it('a social account that waits for its code is not a subject', async () => {
  world.standIn.world.account({ api: 'bluesky', handle: 'acme.example' });
  const link = await world.link(accountId, 'acme.example', 'social', 'bsky.app');

  await expect(world.verify(link)).rejects.toMatchObject({ code: 'proof_not_found' });

  expect(await lead('bluesky:acme.example')).toBe('subject_not_found');
});
