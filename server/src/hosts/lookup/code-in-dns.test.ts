import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StandInHost, startStandInHost } from '../../../testing/stand-ins/stand-in-host.ts';
import { createHosts, type Hosts } from '../create-hosts.ts';
import { ownDomain, readHostAccount } from './host-accounts.ts';

const CODE = 'trust-directory-7f3k2m9q';

let standIn: StandInHost;
let hosts: Hosts;
/** TXT records by name. */
let records: Map<string, string[][]>;
let asked: string[];

beforeEach(async () => {
  standIn = await startStandInHost();
  [records, asked] = [new Map(), []];
  hosts = createHosts({
    publicUrl: 'https://directory.example',
    hostApiUrls: standIn.hostApiUrls,
    hostApiTokens: [],
    async resolveText(name) {
      asked.push(name);
      const found = records.get(name);
      if (!found) throw new Error('ENOTFOUND');
      return found;
    },
  });
});
afterEach(async () => {
  await hosts.close();
  await standIn.close();
});

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

  it.each(WITH_WEBSITE)('is a DNS record of the domain that it names (%s)', async (api) => {
    team(api, { website: 'www.acme.example' });
    records.set(RECORD, [['v=other'], [CODE.slice(0, 9), CODE.slice(9)]]);

    expect(await placeOn(api)).toBe('dns_record');
    expect(asked).toEqual([RECORD]);
  });

  it.each(WITH_WEBSITE)('is no file of the website, nor a package of an npm user (%s)', async (api) => {
    const account = team(api, { website: 'https://acme.example/' });
    standIn.world.package({
      ...{ api: 'npm', name: '@acme-tools/trust-directory', users: ['acme-tools'], description: CODE },
    });

    expect(await placeOn(api)).toBeNull();
    account.website = 'https://www.npmjs.com/~acme-tools';
    expect(await placeOn(api)).toBeNull();

    expect(asked).toEqual([RECORD]);
    expect(standIn.requests.filter(({ path }) => /npm|well-known/.test(path))).toEqual([]);
  });

  it('is not a record with more than the code, or with another code', async () => {
    team('github', { website: 'https://acme.example' });
    records.set(RECORD, [[`${CODE} and more`], [`${CODE}a`], ['trust-directory-another']]);

    expect(await placeOn('github')).toBeNull();
  });

  it('is not a domain that was removed from the profile during the check', async () => {
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
    records.set(RECORD, [[CODE]]);

    expect(await placeOn('github')).toBeNull();
    expect(asked).toEqual([]);
  });
});

describe('a website', () => {
  it.each([
    ['https://acme.example', 'acme.example'],
    ['http://ACME.example/', 'acme.example'],
    ['acme.example', 'acme.example'],
    ['https://acme.example./', 'acme.example'],
    ['https://www.acme.co.uk', 'acme.co.uk'],
    ['https://tools.acme.co.uk', 'tools.acme.co.uk'],
    ['https://www.com', 'www.com'],
    ['https://www.co.uk', 'www.co.uk'],
    ['https://пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ])('%s names a domain of its own', async (website, domain) => {
    expect(await ownDomain(website)).toBe(domain);
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
    // Public suffixes, and names under them that anyone can register.
    'https://com',
    'https://co.uk/',
    'https://xn--p1ai',
    'https://github.io',
    'https://acme.github.io/',
    'https://www.acme.github.io/',
    'https://docs.acme.github.io/',
    'https://ACME.GitHub.IO./',
    'https://acme.gitlab.io',
    'https://ACME.codeberg.page/',
    'https://acme.bitbucket.io',
    'https://acme.pages.dev',
    'https://acme.workers.dev',
    'https://acme.vercel.app',
    'https://acme.netlify.app',
    'https://acme.hf.space',
    'https://acme.readthedocs.io',
    'https://acme.s3.amazonaws.com',
    'https://acme.blogspot.com',
    'https://acme.duckdns.org',
    'https://acme.eu.org',
    'https://acme.uk.com',
  ])('%j names none, and nothing is asked', async (website) => {
    expect(await ownDomain(website)).toBeNull();
    team('github', { website });

    expect(await placeOn('github')).toBeNull();
    expect(asked).toEqual([]);
  });
});
