import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StandInHost, startStandInHost } from '../../testing/stand-ins/stand-in-host.ts';
import { OutboundFailure } from '../outbound/outbound-failure.ts';
import { readWebsite } from './code-on-website.ts';
import { readHostAccount } from './host-accounts.ts';
import { createHosts, type Hosts } from './hosts.ts';

const CODE = 'trust-directory-7f3k2m9q';

let standIn: StandInHost;
let hosts: Hosts;
/** What the outside world shows: files by address, records by name. */
let files: Map<string, { status: number; body: string }>;
let records: Map<string, string[][]>;
let asked: string[];

beforeEach(async () => {
  standIn = await startStandInHost();
  [files, records, asked] = [new Map(), new Map(), []];
  hosts = createHosts({
    publicUrl: 'https://directory.example',
    hostApiUrls: standIn.hostApiUrls,
    hostApiTokens: [],
    siteStandIns: {
      client: {
        async call(url) {
          asked.push(url);
          const file = files.get(url);
          if (!file) throw new OutboundFailure('no_answer', 'nothing there');
          return { ...file, headers: {}, url };
        },
        close: async () => undefined,
      },
      async resolveText(name) {
        asked.push(name);
        const found = records.get(name);
        if (!found) throw new Error('ENOTFOUND');
        return found;
      },
    },
  });
});
afterEach(async () => {
  await hosts.close();
  await standIn.close();
});

const FILE = 'https://acme.example/.well-known/trust-directory.txt';
const RECORD = '_trust-directory.acme.example';
const ORGANISATIONS = [
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
  ['forgejo', 'codeberg.org'],
  ['bitbucket', 'bitbucket.org'],
] as const;
const WITH_WEBSITE = ['github', 'forgejo'] as const;
type Api = (typeof ORGANISATIONS)[number][0];

function team(api: Api, changes = {}) {
  return standIn.world.account({ api, handle: 'acme', isOrganisation: true, ...changes });
}
async function placeOn(api: Api): Promise<string | null> {
  const host = new Map<string, string>(ORGANISATIONS).get(api) ?? '';
  return (await readHostAccount('repo_host', host, 'acme', CODE, { hosts })).codePlace;
}

describe('the proof of an organisation', () => {
  it.each(ORGANISATIONS)('is no file that a member can write (%s)', async (api) => {
    team(api);
    for (const repository of ['acme', 'trust-directory'])
      standIn.world.repository({ api, name: `acme/${repository}`, files: { 'trust-directory.txt': CODE } });

    expect(await placeOn(api)).toBeNull();
    expect(standIn.requests.filter(({ path }) => /\/(repos|projects)\//.test(path))).toEqual([]);
  });

  it.each(ORGANISATIONS)('is its own profile text (%s)', async (api) => {
    team(api, { profile: CODE });

    expect(await placeOn(api)).toBe('profile');
  });

  it.each(WITH_WEBSITE)('is a file of the domain that it names (%s)', async (api) => {
    team(api, { website: 'https://acme.example/' });
    files.set(FILE, { status: 200, body: `another-code\r\n${CODE}\r\n` });

    expect(await placeOn(api)).toBe('domain');
  });

  it.each(WITH_WEBSITE)('is a DNS record of the domain that it names (%s)', async (api) => {
    team(api, { website: 'www.acme.example' });
    records.set(RECORD, [['v=other'], [CODE.slice(0, 9), CODE.slice(9)]]);

    expect(await placeOn(api)).toBe('domain');
    expect(asked).toEqual(['https://www.acme.example/.well-known/trust-directory.txt', RECORD]);
  });

  it('is a package of the npm user that it names, published by that user', async () => {
    team('github', { website: 'https://www.npmjs.com/~acme-tools' });
    const found = standIn.world.package({
      api: 'npm',
      name: '@acme-tools/trust-directory',
      users: ['acme-tools', 'member'],
      publisher: 'member',
      description: CODE,
    });
    expect(await placeOn('github')).toBeNull();

    found.publisher = 'acme-tools';

    expect(await placeOn('github')).toBe('package');
  });

  it.each([
    ['another code', { status: 200, body: 'trust-directory-another' }],
    ['the code within a line of a page', { status: 200, body: `<p>posted by a guest: ${CODE}</p>` }],
    ['the code in an error page', { status: 404, body: CODE }],
    ['nothing at all', { status: 200, body: '' }],
  ])('is not a file with %s', async (_name, file) => {
    team('github', { website: 'https://acme.example' });
    files.set(FILE, file);
    records.set(RECORD, [[`${CODE} and more`]]);

    expect(await placeOn('github')).toBeNull();
  });

  it('is not the domain that it named a moment ago', async () => {
    const account = team('github', { website: 'https://acme.example' });
    records.set(RECORD, [[CODE]]);
    let reads = 0;
    standIn.onRequest(async () => {
      reads += 1;
      if (reads > 2) account.website = 'https://other.example';
    });

    await expect(placeOn('github')).rejects.toMatchObject({ kind: 'moved' });
  });

  it('is not the domain of a person', async () => {
    standIn.world.account({ handle: 'acme', website: 'https://acme.example' });
    files.set(FILE, { status: 200, body: CODE });

    expect(await placeOn('github')).toBeNull();
    expect(asked).toEqual([]);
  });
});

describe('a website', () => {
  it.each([
    ['https://acme.example', { domain: 'acme.example' }],
    ['http://ACME.example/', { domain: 'acme.example' }],
    ['acme.example', { domain: 'acme.example' }],
    ['https://npmjs.com/~acme', { npmScope: 'acme' }],
  ])('%s names a place of its own', (website, named) => {
    expect(readWebsite(website)).toEqual(named);
  });

  it.each([
    '',
    'acme',
    'localhost',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://acme.example:8443/',
    'https://user:secret@acme.example/',
    'ftp://acme.example/',
    'javascript:alert(1)',
    'https://shared.example/~acme',
    'https://shared.example/?team=acme',
    'https://acme.github.io/',
    'https://acme.gitlab.io',
    'https://ACME.codeberg.page/',
    'https://www.npmjs.com/org/acme',
    'https://www.npmjs.com/package/acme',
    'https://www.npmjs.com/',
  ])('%j names none, and nothing is asked', async (website) => {
    expect(readWebsite(website)).toBeNull();
    team('github', { website });

    expect(await placeOn('github')).toBeNull();
    expect(asked).toEqual([]);
  });
});
