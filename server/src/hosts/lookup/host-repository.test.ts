import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StandInHost, startStandInHost } from '../../../testing/stand-ins/stand-in-host.ts';
import { createHosts, type Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import { readHostAccount } from './host-accounts.ts';
import { readHostRepository, readsRepositories } from './host-repository.ts';

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

const read = (host: string, name: string) => readHostRepository(hosts, { host, by: { name } });

async function failureOf(call: Promise<unknown>): Promise<HostFailure> {
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof HostFailure)) throw new Error(`no failure of a host: ${error}`);
  return error;
}

const KNOWN = {
  repository: 'maker/tool',
  description: 'What the host says it is',
  lastCommitAt: '2026-11-01T10:00:00.000Z',
  createdAt: '2024-02-03T04:05:06.000Z',
  forkOf: 'origin/tool',
};

describe('readHostRepository', () => {
  it.each([
    [
      'github.com',
      'github',
      { stars: 340, forks: 12, openIssues: 3, license: 'MIT', archived: false, topics: ['agents', 'mcp'] },
    ],
    [
      'gitlab.com',
      'gitlab',
      { stars: 340, forks: 12, openIssues: 3, license: 'mit', archived: false, topics: ['agents', 'mcp'] },
    ],
    [
      'codeberg.org',
      'forgejo',
      {
        stars: 340,
        forks: 12,
        openIssues: 3,
        license: 'MIT',
        archived: false,
        homepage: 'https://project.example/',
      },
    ],
    [
      'bitbucket.org',
      'bitbucket',
      { stars: null, forks: null, openIssues: null, license: null, archived: null, topics: [] },
    ],
  ] as const)('reads what %s tells of a repository', async (host, api, facts) => {
    const { id } = standIn.world.repository({ api, name: 'maker/tool', forkOf: 'origin/tool' });

    const { reading } = await read(host, 'Maker/Tool');

    expect(readsRepositories(hosts, host)).toBe(true);
    expect(reading).toMatchObject({ ...KNOWN, ...facts, hostRepositoryId: id });
  });

  it.each(['github', 'gitlab', 'forgejo', 'bitbucket'] as const)(
    'finds a renamed repository on %s, and by its id',
    async (api) => {
      const host = {
        github: 'github.com',
        gitlab: 'gitlab.com',
        forgejo: 'codeberg.org',
        bitbucket: 'bitbucket.org',
      }[api];
      const { id } = standIn.world.repository({ api, name: 'new/name', formerNames: ['old/name'] });

      const byName = await read(host, 'old/name');
      const byId = await readHostRepository(hosts, { host, by: { id } });

      expect([byName, byId].map(({ reading }) => reading?.repository)).toEqual(['new/name', 'new/name']);
    },
  );

  it.each([
    ['github.com', 'github', false, '42'],
    ['codeberg.org', 'forgejo', false, '42'],
    ['bitbucket.org', 'bitbucket', false, '42'],
    ['gitlab.com', 'gitlab', false, '42'],
    ['gitlab.com', 'gitlab', true, 'group-42'],
  ] as const)(
    "reads from %s the owner's id that a proof of the account stores",
    async (host, api, isOrganisation, id) => {
      standIn.world.account({ api, handle: 'maker', id: '42', isOrganisation });
      standIn.world.repository({ api, name: 'maker/tool' });

      const { reading } = await read(host, 'maker/tool');
      const account = await readHostAccount('repo_host', host, 'maker', null, { hosts });

      expect(reading?.hostOwnerId).toBe(id);
      expect(account.hostAccountId).toBe(id);
    },
  );

  it('does not mistake the next account with a GitLab name for the owner of a project', async () => {
    const maker = standIn.world.account({ api: 'gitlab', handle: 'maker', id: '42' });
    standIn.world.repository({ api: 'gitlab', name: 'maker/tool', ownerId: '42' });
    standIn.onRequest(async (path) => {
      if (!path.includes('/users?') || maker.handle !== 'maker') return;
      maker.handle = 'renamed';
      standIn.world.account({ api: 'gitlab', handle: 'maker', id: '99' });
    });

    const { reading } = await read('gitlab.com', 'maker/tool');

    expect(reading?.hostOwnerId).toBeNull();
  });

  it('sends a conditional request, and reports when nothing changed', async () => {
    const repository = standIn.world.repository({ name: 'maker/tool' });
    const { validators } = await read('github.com', 'maker/tool');
    const again = () =>
      readHostRepository(hosts, { host: 'github.com', by: { name: 'maker/tool' }, since: validators });

    const unchanged = await again();
    repository.stars += 1;
    const changed = await again();

    expect(unchanged.reading).toBeNull();
    expect(changed.reading?.stars).toBe(341);
    expect(standIn.requests.map(({ status }) => status)).toEqual([200, 304, 200]);
  });

  it('sends a token only to its host, and our user agent', async () => {
    const withToken = createHosts({
      publicUrl: 'https://directory.example',
      hostApiUrls: standIn.hostApiUrls,
      hostApiTokens: [{ host: 'github.com', token: 'secret-token' }],
    });
    standIn.world.repository({ name: 'maker/tool' });
    standIn.world.repository({ api: 'forgejo', name: 'maker/tool' });

    await readHostRepository(withToken, { host: 'github.com', by: { name: 'maker/tool' } });
    await readHostRepository(withToken, { host: 'codeberg.org', by: { name: 'maker/tool' } });

    await withToken.close();
    const [github, forgejo] = standIn.requests;
    expect(github?.headers.authorization).toBe('Bearer secret-token');
    expect(forgejo?.headers.authorization).toBeUndefined();
    expect(github?.headers['user-agent']).toBe('TrustDirectory/0.1 (+https://directory.example)');
  });
});

describe('what a host may answer instead', () => {
  const json = (value: unknown) => ({ kind: 'answer', status: 200, body: JSON.stringify(value) }) as const;

  it.each([
    ['404', { kind: 'answer', status: 404 }, 'not_found'],
    ['451', { kind: 'answer', status: 451 }, 'not_found'],
    ['a page in place of 404', { kind: 'answer', status: 404, body: '<html>nginx</html>' }, 'unusable'],
    ['401', { kind: 'answer', status: 401 }, 'unavailable'],
    ['403 without a limit', { kind: 'answer', status: 403 }, 'unavailable'],
    ['500', { kind: 'answer', status: 500 }, 'unavailable'],
    ['418', { kind: 'answer', status: 418 }, 'unusable'],
    ['no answer', { kind: 'hang_up' }, 'unavailable'],
    ['too much', { kind: 'endless' }, 'unusable'],
    ['304 unasked', { kind: 'answer', status: 304 }, 'unusable'],
    ['no JSON', { kind: 'answer', status: 200, body: '<html>' }, 'unusable'],
    ['no object', json([1]), 'unusable'],
    ['no id', json({ full_name: 'a/b' }), 'unusable'],
    ['a wrong type', json({ id: 1, full_name: 'a/b', stargazers_count: 'many' }), 'unusable'],
    [
      'a way to another host',
      { kind: 'answer', status: 301, headers: { location: 'https://example.org/' } },
      'moved',
    ],
  ] as const)('%s becomes a failure that quotes nothing of it', async (_, trouble, kind) => {
    standIn.trouble(trouble);

    const failure = await failureOf(read('github.com', 'maker/tool'));

    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(/^github\.com [a-z ]+(\(status \d+\))?\.$/);
  });

  it.each([
    [429, { 'retry-after': '17' }, 17],
    [429, {}, 60],
    [403, { 'retry-after': '120' }, 120],
    [
      403,
      {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1763000100',
        date: 'Thu, 13 Nov 2025 02:14:00 GMT',
      },
      60,
    ],
    [429, { 'retry-after': 'Thu, 13 Nov 2025 02:15:00 GMT', date: 'Thu, 13 Nov 2025 02:14:30 GMT' }, 30],
    [429, { 'retry-after': '999999999' }, 86_400],
    [
      429,
      { 'ratelimit-remaining': '0', 'ratelimit-reset': '1763000041', date: 'Thu, 13 Nov 2025 02:14:00 GMT' },
      1,
    ],
  ])('%i with %j asks for a rest of so many seconds', async (status, headers, seconds) => {
    standIn.trouble({ kind: 'answer', status, headers });

    const failure = await failureOf(read('gitlab.com', 'maker/tool'));

    expect([failure.kind, failure.retryAfterSeconds]).toEqual(['limited', seconds]);
  });

  it('is cleaned of control characters, lone surrogates, other URL schemes and invalid numbers', async () => {
    standIn.trouble(
      json({
        id: 7,
        full_name: 'maker/tool',
        description: `\u0000 a\u0007\n\tb \ud800 ${'é'.repeat(3_000)}`,
        homepage: 'javascript:alert(1)',
        topics: ['Fine', 'fine', '', 'x'.repeat(90), ...'abcdefghij'],
        stargazers_count: -3,
        forks_count: 1.5,
        open_issues_count: 1e300,
        pushed_at: 'yesterday',
        created_at: '-000001-01-01T00:00:00Z',
      }),
    );

    const { reading } = await read('github.com', 'maker/tool');

    expect(reading?.description).toMatch(/^a b \ufffd é+$/);
    expect([...(reading?.description ?? '')]).toHaveLength(2_000);
    expect(reading?.topics).toEqual(['fine', 'x'.repeat(50), 'a', 'b', 'c', 'd', 'e', 'f']);
    const { homepage, stars, forks, openIssues, lastCommitAt, createdAt } = reading ?? {};
    expect([homepage, stars, forks, openIssues, lastCommitAt, createdAt]).toEqual(Array(6).fill(null));
  });

  it('is an error for a host that this server cannot read', async () => {
    const failure = await failureOf(read('unknown.example', 'maker/tool'));

    expect(failure.kind).toBe('unreadable');
    expect(readsRepositories(hosts, 'unknown.example') || readsRepositories(hosts, 'npmjs.com')).toBe(false);
    expect(standIn.requests).toEqual([]);
  });
});
