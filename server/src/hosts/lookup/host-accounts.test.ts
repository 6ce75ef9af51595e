import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StandInHost, startStandInHost } from '../../../testing/stand-ins/stand-in-host.ts';
import { ACCOUNT_KINDS, type AccountKind, createHostCatalogue } from '../../platform/config/known-hosts.ts';
import { createHosts, type Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import { readHostAccount, readsAccounts } from './host-accounts.ts';

const CODE = 'trust-directory-7f3k2m9q';

let standIn: StandInHost;
let hosts: Hosts;

beforeEach(async () => {
  standIn = await startStandInHost();
  hosts = createHosts({
    publicUrl: 'https://directory.example',
    hostApiUrls: standIn.hostApiUrls,
    hostApiTokens: [],
  });
});
afterEach(async () => {
  await hosts.close();
  await standIn.close();
});

const read = (kind: AccountKind, host: string, handle: string, code: string | null = CODE) =>
  readHostAccount(kind, host, handle, code, { hosts });

async function failureOf(call: Promise<unknown>): Promise<HostFailure> {
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof HostFailure)) throw new Error(`no failure of a host: ${error}`);
  return error;
}

it('reads accounts on every known host that has some', () => {
  const withoutAccounts = [
    'api.npmjs.org',
    'registry.modelcontextprotocol.io',
    'api.securityscorecards.dev',
    'osv-vulnerabilities.storage.googleapis.com',
  ];
  const unread = [...createHostCatalogue([]).keys()].filter(
    (host) => !ACCOUNT_KINDS.some((kind) => readsAccounts(kind, host, { hosts })),
  );

  expect(unread).toEqual(withoutAccounts);
});

const PROFILES = [
  ['repo_host', 'github.com', 'github'],
  ['repo_host', 'gitlab.com', 'gitlab'],
  ['repo_host', 'codeberg.org', 'forgejo'],
  ['social', 'bluesky', 'bluesky'],
  ['social', 'mastodon.social', 'mastodon'],
  ['messaging', 'telegram', 'telegram'],
] as const;

const REPOSITORY_HOSTS = [
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['codeberg.org', 'forgejo'],
] as const;

describe('readHostAccount', () => {
  it.each(PROFILES)('finds the code in a profile (%s on %s)', async (kind, host, api) => {
    const { id, handle } = standIn.world.account({ api, handle: 'Maker', profile: `I make tools. ${CODE}` });

    const account = await read(kind, host, '@maker');

    expect(readsAccounts(kind, host, { hosts })).toBe(true);
    expect(account.hostAccountId).toBe(api === 'bluesky' ? `did:plc:${id}` : id);
    expect(account.handle.toLowerCase()).toBe(handle.toLowerCase());
    expect(account.codePlace).not.toBeNull();
    expect(account.evidenceUrl).toMatch(/^https:\/\//);
  });

  it.each(PROFILES)('finds none where there is none (%s on %s)', async (kind, host, api) => {
    standIn.world.account({ api, handle: 'maker', profile: 'trust-directory-another' });

    expect((await read(kind, host, 'maker')).codePlace).toBeNull();
    expect((await read(kind, host, 'maker', null)).codePlace).toBeNull();
  });

  it.each(REPOSITORY_HOSTS)(
    'finds the code in a file of a repository of that account on %s',
    async (host, api) => {
      standIn.world.account({ api, handle: 'maker' });
      standIn.world.account({ api, handle: 'other' });
      const files = { 'trust-directory.txt': `${CODE}\n` };
      standIn.world.repository({ api, name: 'maker/trust-directory', files });

      expect((await read('repo_host', host, 'maker')).codePlace).not.toBeNull();
      expect((await read('repo_host', host, 'other')).codePlace).toBeNull();
    },
  );

  it.each(REPOSITORY_HOSTS)('does not follow a repository that was given away on %s', async (host, api) => {
    standIn.world.account({ api, handle: 'maker' });
    const files = { 'trust-directory.txt': CODE };
    standIn.world.repository({
      api,
      name: 'thief/trust-directory',
      formerNames: ['maker/trust-directory'],
      files,
    });

    expect((await read('repo_host', host, 'maker')).codePlace).toBeNull();
  });

  it('returns the creation date only where the host itself, not the account, states it', async () => {
    for (const [, , api] of PROFILES) standIn.world.account({ api, handle: 'maker' });

    const accounts = await Promise.all(PROFILES.map(([kind, host]) => read(kind, host, 'maker', null)));

    const made = '2019-05-06T07:08:09.000Z';
    expect(accounts.map(({ createdAt }) => createdAt)).toEqual([made, made, made, null, made, null]);
  });

  it('observes what a platform shows of an account', async () => {
    const profile = 'See https://github.com/maker';
    for (const api of ['bluesky', 'mastodon', 'telegram'] as const) {
      standIn.world.account({ api, handle: 'maker', verified: true, profile });
    }

    const [bluesky, mastodon, telegram] = await Promise.all([
      read('social', 'bsky.app', 'maker'),
      read('social', 'mastodon.social', 'maker'),
      read('messaging', 't.me', 'maker'),
    ]);

    const shown = { name: 'A person', audience: 1_234, lastPostAt: '2026-11-10T00:00:00.000Z' };
    const links = ['https://github.com/maker'];
    expect(bluesky?.facts).toEqual({ ...shown, links, verifiedMark: true });
    expect(mastodon?.facts).toEqual({ ...shown, links, verifiedMark: null });
    expect(telegram?.facts).toEqual({ ...shown, links, verifiedMark: true });
  });
});

describe('accounts of package registries', () => {
  it('are proved by a version that the npm user published itself', async () => {
    standIn.world.package({
      api: 'npm',
      name: 'tool',
      users: ['maker', 'thief'],
      publisher: 'maker',
      keywords: [CODE],
    });

    const maker = await read('node_packages', 'npm', 'Maker');
    const thief = await read('node_packages', 'npmjs.com', 'thief');

    expect(maker).toMatchObject({
      hostAccountId: 'maker',
      codePlace: 'package',
      createdAt: null,
      facts: null,
    });
    expect(thief.codePlace).toBeNull();
  });

  it('are proved by a PyPI project in which nobody else has a role', async () => {
    standIn.world.package({ api: 'pypi', name: 'shared', users: ['victim', 'thief'], description: CODE });
    standIn.world.package({ api: 'pypi', name: 'own', users: ['maker'], description: `Mine ${CODE}` });

    expect((await read('python_packages', 'pypi.org', 'maker')).codePlace).not.toBeNull();
    expect((await read('python_packages', 'pypi.org', 'victim')).codePlace).toBeNull();
  });

  it.each([
    ['belongs to an organisation', { organisation: 'acme' }],
    ['may belong to an organisation', { organisation: undefined }],
    ['the user maintains only', { role: 'Maintainer' }],
    ['nobody has a role in', { users: [] }],
    ['is another one than was asked for', { answeredName: 'trust-directory-proof' }],
    ['answers without a name', { answeredName: '' }],
  ])('are not proved by a PyPI project that %s', async (_what, changes) => {
    const own = { api: 'pypi', name: 'proof', users: ['maker'], description: CODE } as const;
    standIn.world.package({ api: 'pypi', name: 'old', users: ['maker'] });
    const found = standIn.world.package({ ...own, users: ['maker'] });
    expect((await read('python_packages', 'pypi.org', 'maker')).codePlace).toBe('package');

    Object.assign(found, changes);

    expect((await read('python_packages', 'pypi.org', 'maker')).codePlace).toBeNull();
  });

  it('are proved by a PyPI project that answers with its name in another spelling', async () => {
    const names = { name: 'Trust_Directory.proof', answeredName: 'trust-directory--Proof' };
    standIn.world.package({ api: 'pypi', ...names, users: ['maker'], description: CODE });

    expect((await read('python_packages', 'pypi.org', 'maker')).codePlace).toBe('package');
  });

  it('are not proved by another npm package than was asked for, also one that differs in capitals alone', async () => {
    const found = standIn.world.package({ api: 'npm', name: 'tool', users: ['maker'], description: CODE });
    expect((await read('node_packages', 'npm', 'maker')).codePlace).toBe('package');

    for (const answeredName of ['Tool', 'tool2']) {
      found.answeredName = answeredName;
      expect((await read('node_packages', 'npm', 'maker')).codePlace).toBeNull();
    }
  });

  it('are unknown without a package', async () => {
    for (const [kind, host] of [
      ['node_packages', 'npm'],
      ['python_packages', 'pypi'],
    ] as const) {
      expect((await failureOf(read(kind, host, 'nobody'))).kind).toBe('not_found');
    }
  });
});

describe('accounts that cannot be read', () => {
  it.each([...PROFILES, ['repo_host', 'bitbucket.org', 'bitbucket']] as const)(
    'are not found where the host knows none (%s on %s)',
    async (kind, host) => {
      expect((await failureOf(read(kind, host, 'nobody'))).kind).toBe('not_found');
    },
  );

  it.each([
    ['professional_network', 'linkedin.com'],
    ['social', 'x.com'],
    ['social', 'github.com'],
    ['messaging', 'discord.com'],
    ['repo_host', 'git.unknown.example'],
    ['social', 'constructor'],
    ['repo_host', '__proto__'],
  ] as const)('have to be confirmed by an operator (%s on %s)', async (kind, host) => {
    const failure = await failureOf(read(kind, host, 'maker'));

    expect(failure.kind).toBe('unreadable');
    expect(failure.message).toContain('Ask the operator of this directory to confirm');
    expect(readsAccounts(kind, host, { hosts })).toBe(false);
  });

  it('are those of Telegram without a permanent id: persons, groups and bots', async () => {
    standIn.trouble({ kind: 'answer', status: 302, headers: { location: '/telegram/maker' } });
    standIn.world.account({ api: 'telegram', handle: 'maker', profile: CODE });

    expect((await failureOf(read('messaging', 'telegram', 'maker'))).kind).toBe('unreadable');
  });

  it("are another server's accounts on a Mastodon instance", async () => {
    const record = { id: '9', acct: 'maker@other.example', username: 'maker', note: CODE };
    standIn.trouble({ kind: 'answer', status: 200, body: JSON.stringify(record) });

    expect((await failureOf(read('social', 'mastodon.social', 'maker'))).kind).toBe('not_found');
  });

  it.each(['..', '.', 'a/b', 'a?b', 'a b', '', '%2e%2e', 'é'])(
    'are none by the name %j, and no host is asked',
    async (handle) => {
      const failure = await failureOf(read('repo_host', 'github.com', handle));

      expect(failure.kind).toBe('not_found');
      expect(standIn.requests).toEqual([]);
    },
  );

  it('report a rate limit during the search instead of a missing code', async () => {
    standIn.world.account({ api: 'github', handle: 'maker' });
    standIn.allow(1, 90);

    const failure = await failureOf(read('repo_host', 'github.com', 'maker'));

    expect([failure.kind, (failure.retryAfterSeconds ?? 0) > 80]).toEqual(['limited', true]);
  });
});
