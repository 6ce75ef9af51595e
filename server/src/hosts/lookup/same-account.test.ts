import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StandInHost, startStandInHost } from '../../../testing/stand-ins/stand-in-host.ts';
import type { StandInAccount } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { createHosts, type Hosts } from '../create-hosts.ts';
import { HostFailure, isSameHandle } from '../host-account.ts';
import { currentHandle, readHostAccount } from './host-accounts.ts';

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

type Api = StandInAccount['api'];
const PLACES = [
  ['github', 'repo_host', 'github.com'],
  ['gitlab', 'repo_host', 'gitlab.com'],
  ['forgejo', 'repo_host', 'codeberg.org'],
  ['bitbucket', 'repo_host', 'bitbucket.org'],
  ['bluesky', 'social', 'bsky.app'],
  ['mastodon', 'social', 'mastodon.social'],
  ['telegram', 'messaging', 't.me'],
] as const;
const ORGANISATIONS = ['github', 'gitlab', 'forgejo', 'bitbucket'] as const;
const WITH_FILES = ['github', 'gitlab', 'forgejo'] as const;

function read(api: Api, handle: string) {
  const [, kind, host] = PLACES.find((place) => place[0] === api) ?? PLACES[0];
  return readHostAccount(kind, host, handle, CODE, { hosts });
}

async function kindOfFailure(call: Promise<unknown>): Promise<string> {
  const error = await call.catch((reason: unknown) => reason);
  return error instanceof HostFailure ? error.kind : `no failure of a host: ${JSON.stringify(error)}`;
}

/** Changes the host's data after the response to the first request that matches a pattern. */
function after(pattern: RegExp, change: () => void): void {
  let isTime = false;
  standIn.onRequest(async (path) => {
    if (isTime) change();
    isTime ||= pattern.test(path);
  });
}

describe('two spellings of a handle', () => {
  it.each([
    ['Acme-Labs', 'aCME-lABS', true],
    ['acme', 'acme2', false],
    ['acme', 'аcme', false], // Cyrillic а
    ['kit', '\u212Ait', false], // the Kelvin sign
    ['is', 'i\u017F', false], // long s
    ['igor', '\u0130gor', false],
    ['acme', null, false],
  ])('%j and %j are one: %j', (one, other, isSame) => {
    expect(isSameHandle(one, other)).toBe(isSame);
    expect(isSameHandle(other, one)).toBe(isSame);
  });
});

describe('a handle of digits alone', () => {
  it.each(PLACES)('is the name of an account on %s, and never another one’s id', async (api) => {
    const { id } = standIn.world.account({ api, handle: '9970', profile: CODE });
    standIn.world.account({ api, handle: 'victim', id: '9970', isOrganisation: true });

    const account = await read(api, '9970');

    expect([account.handle, account.hostAccountId.replace('did:plc:', '')]).toEqual(['9970', id]);
    expect(account.codePlace).toBe('profile');
  });

  it.each(ORGANISATIONS)('is the name of an organisation on %s, and never another one’s id', async (api) => {
    const own = standIn.world.account({ api, handle: '9970', profile: CODE, isOrganisation: true });
    standIn.world.account({ api, handle: 'victim', id: '9970', isOrganisation: true });

    const account = await read(api, '9970');

    expect([account.handle, account.hostAccountId.replace('group-', '')]).toEqual(['9970', own.id]);
  });

  it.each(PLACES)('proves nothing of the account on %s that has it for an id', async (api) => {
    standIn.world.account({ api, handle: 'victim', id: '9970', isOrganisation: true });
    if (api === 'github' || api === 'gitlab' || api === 'forgejo') {
      const files = { 'trust-directory.txt': CODE };
      standIn.world.repository({ api, name: '9970/trust-directory', files });
    }

    expect(await kindOfFailure(read(api, '9970'))).toMatch(/^(not_found|moved)$/);
  });
});

describe('an answer about another account', () => {
  const OTHER = {
    github: { id: 7, login: 'victim', type: 'User', bio: CODE },
    gitlab: [{ id: 7, username: 'victim' }],
    forgejo: { id: 7, login: 'victim', description: CODE },
    bitbucket: { uuid: '{7}', slug: 'victim', name: CODE },
    bluesky: { did: 'did:plc:7', handle: 'victim.example', description: CODE },
    mastodon: { id: '7', acct: 'victim', username: 'maker', note: CODE },
  };
  const answer = (body: unknown) => ({ kind: 'answer', status: 200, body: JSON.stringify(body) }) as const;

  it.each(Object.keys(OTHER) as (keyof typeof OTHER)[])('is none on %s', async (api) => {
    standIn.trouble(answer(OTHER[api]));

    expect(await kindOfFailure(read(api, 'maker'))).toMatch(/^(not_found|moved)$/);
  });

  it.each(Object.keys(OTHER) as (keyof typeof OTHER)[])(
    'whose letters only look alike is none on %s',
    async (api) => {
      const alike = JSON.stringify(OTHER[api]).replaceAll('victim.example', 'victim');
      standIn.trouble(answer(JSON.parse(alike.replaceAll('"victim"', '"ma\u212Aer"'))));

      expect(await kindOfFailure(read(api, 'maker'))).toMatch(/^(not_found|moved)$/);
    },
  );

  it('is none where a Telegram page shows another channel’s posts', async () => {
    standIn.world.account({ api: 'telegram', handle: 'victim', profile: CODE });
    standIn.trouble({ kind: 'answer', status: 302, headers: { location: '/telegram/s/victim' } });

    expect(await kindOfFailure(read('telegram', 'maker'))).toBe('moved');
  });

  it('is none of a package that npm shows under another name', async () => {
    standIn.world.package({ api: 'npm', name: 'tool', users: ['maker'], keywords: [] });
    const other = { name: 'other', keywords: [CODE], _npmUser: { name: 'maker' } };
    after(/search/, () => standIn.trouble(answer(other)));

    expect((await readHostAccount('node_packages', 'npm', 'maker', CODE, { hosts })).codePlace).toBeNull();
  });
});

describe('a redirect', () => {
  it.each(PLACES)('is not followed on %s', async (api) => {
    standIn.world.account({ api, handle: 'renamed', profile: CODE });
    const to = { github: 'users', forgejo: 'users', bitbucket: 'workspaces', telegram: 's' } as Record<
      Api,
      string
    >;
    standIn.trouble({ kind: 'answer', status: 307, headers: { location: `/${api}/${to[api]}/renamed` } });

    expect(await kindOfFailure(read(api, 'maker'))).toBe('moved');
  });
});

describe('a rename while an account is read', () => {
  it.each(WITH_FILES)('does not accept a file of the account’s successor on %s', async (api) => {
    const account = standIn.world.account({ api, handle: 'maker' });
    const profile = api === 'gitlab' ? /users\/\d+$/ : api === 'forgejo' ? /orgs\/maker$/ : /users\/maker$/;
    after(profile, () => {
      account.handle = 'maker-renamed';
      if (standIn.world.repositories.length > 0) return;
      standIn.world.account({ api, handle: 'maker' });
      standIn.world.repository({
        api,
        name: 'maker/trust-directory',
        files: { 'trust-directory.txt': CODE },
      });
    });

    expect(await kindOfFailure(read(api, 'maker'))).toBe('moved');
  });

  it.each([
    ['gitlab', /users\?username/, {}],
    ['github', /users\/maker$/, { isOrganisation: true }],
    ['forgejo', /users\/maker$/, { isOrganisation: true }],
  ] as const)('joins no two records of two accounts on %s', async (api, first, changes) => {
    const account = standIn.world.account({ api, handle: 'maker', ...changes });
    after(first, () => {
      account.handle = 'maker-renamed';
      if (standIn.world.accounts.length > 1) return;
      standIn.world.account({ api, handle: 'maker', profile: CODE, ...changes });
    });

    expect(await kindOfFailure(read(api, 'maker'))).toBe('moved');
  });
});

describe('the present handle of an account', () => {
  it.each(ORGANISATIONS)('is looked up by id on %s', async (api) => {
    const [, , host] = PLACES.find((place) => place[0] === api) ?? PLACES[0];
    const id = api === 'bitbucket' ? '{0f-7}' : '4711';
    standIn.world.account({ api, handle: 'maker', id, isOrganisation: true });
    standIn.world.account({ api, handle: '4711', id: '99', isOrganisation: true });

    expect(await currentHandle(host, api === 'gitlab' ? 'group-4711' : id, { hosts })).toBe('maker');
  });

  it.each([
    ['github.com', 'maker'],
    ['gitlab.com', 'group-maker'],
    ['gitlab.com', 'maker'],
    ['codeberg.org', 'maker'],
    ['bitbucket.org', 'maker'],
  ])('is asked on %s with an id alone: %s is none', async (host, text) => {
    for (const api of ORGANISATIONS) standIn.world.account({ api, handle: 'maker', isOrganisation: true });

    expect(await currentHandle(host, text, { hosts })).toBeNull();
    expect(standIn.requests).toEqual([]);
  });

  it('is ignored in an answer about another id', async () => {
    standIn.trouble({ kind: 'answer', status: 200, body: '{"id":4712,"login":"other"}' });

    expect(await currentHandle('github.com', '4711', { hosts })).toBeNull();
  });
});
