import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StandInHost, startStandInHost } from '../../../testing/stand-ins/stand-in-host.ts';
import type { StandInRepository } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { createHosts, type Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import type { AnswerMemory } from '../request-host.ts';
import { readRepositoryDetails } from './host-repository-details.ts';

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

const HOSTS = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  forgejo: 'codeberg.org',
  bitbucket: 'bitbucket.org',
} as const;
type Api = keyof typeof HOSTS;
const { signal } = new AbortController();
const RELEASES = ['2026-10-05T00:00:00Z', '2026-04-01T00:00:00Z', '2025-04-01T00:00:00Z'];

/** Creates a repository of an organisation with the id 7, and returns the request for it. */
function made(api: Api, of: Partial<StandInRepository> = {}) {
  const host = HOSTS[api];
  standIn.world.account({ api, handle: 'maker', id: '7', isOrganisation: true });
  const { id } = standIn.world.repository({ api, name: 'maker/tool', ...of });
  const hostOwnerId = api === 'gitlab' ? 'group-7' : '7';
  return { host, repository: 'maker/tool', hostRepositoryId: id, hostOwnerId };
}

const read = (known: ReturnType<typeof made>, memory: AnswerMemory = {}, folders: string[] = []) =>
  readRepositoryDetails(hosts, known, { folders, memory, signal });

async function failureOf(call: Promise<unknown>): Promise<HostFailure> {
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof HostFailure)) throw new Error(`no failure of a host: ${error}`);
  return error;
}

describe('readRepositoryDetails', () => {
  it.each(['github', 'gitlab', 'forgejo'] as const)('reads what %s shows', async (api) => {
    const files = {
      'package.json': '{"name":"@maker/tool"}',
      'docs/SECURITY.md': 'Write to us.',
      'parts/python/pyproject.toml': '[project]\nname = "maker-tool"\n',
    };
    const known = made(api, { releases: RELEASES, contributors: 34, files });

    const { details, requests } = await read(known, {}, ['parts/python']);

    expect(details).toMatchObject({
      releases: { count: 3, latestAt: '2026-10-05T00:00:00.000Z' },
      contributors: api === 'forgejo' ? null : 34,
      securityPolicy: { present: true, path: 'docs/SECURITY.md' },
      owner: { kind: 'organisation', createdAt: '2019-05-06T07:08:09.000Z' },
      manifests: [
        { ecosystem: 'npm', name: '@maker/tool', path: 'package.json' },
        { ecosystem: 'pypi', name: 'maker-tool', path: 'parts/python/pyproject.toml' },
      ],
    });
    expect(details.pages.releases).toMatch(new RegExp(`^https://${known.host}/maker/tool/(-/)?releases$`));
    expect(requests).toBe(standIn.requests.length);
    expect(requests).toBeLessThanOrEqual(10);
  });

  it.each(['github', 'gitlab', 'forgejo'] as const)(
    'asks %s only for changes afterwards, and keeps what has not changed',
    async (api) => {
      const known = made(api, { releases: RELEASES, files: { 'package.json': '{"name":"tool"}' } });
      const first = await read(known);
      standIn.requests.length = 0;
      const [repository] = standIn.world.repositories;
      if (repository) repository.releases = ['2026-11-01T00:00:00Z', ...RELEASES];

      const second = await read(known, first.memory);

      const changed = standIn.requests.filter(({ status }) => status !== 304);
      expect(changed.map(({ path }) => path).filter((path) => !path.includes('orgs'))).toEqual([
        expect.stringContaining('releases'),
      ]);
      expect(second.details).toEqual({
        ...first.details,
        releases: { count: 4, latestAt: '2026-11-01T00:00:00.000Z' },
      });
    },
  );

  it('reads what Bitbucket shows, which has neither releases nor contributors', async () => {
    const files = {
      'package.json': '{"name":"@maker/tool"}',
      'docs/SECURITY.md': 'Write to us.',
      'parts/python/pyproject.toml': '[project]\nname = "maker-tool"\n',
    };
    const known = made('bitbucket', { releases: RELEASES, contributors: 34, files });

    const first = await read(known, {}, ['parts/python']);
    standIn.requests.length = 0;
    const second = await read(known, first.memory, ['parts/python']);

    expect(first.details).toMatchObject({
      releases: null,
      contributors: null,
      securityPolicy: { present: true, path: 'docs/SECURITY.md' },
      owner: { kind: 'organisation', createdAt: '2019-05-06T07:08:09.000Z' },
      manifests: [
        { ecosystem: 'npm', name: '@maker/tool', path: 'package.json' },
        { ecosystem: 'pypi', name: 'maker-tool', path: 'parts/python/pyproject.toml' },
      ],
    });
    expect(second.details).toEqual(first.details);
    expect(standIn.requests.every(({ status }) => status === 304)).toBe(true);
    expect((await failureOf(read({ ...known, hostRepositoryId: '404' }))).kind).toBe('not_found');
  });

  it('says that there is none only where the host shows all: no release, no policy, no package', async () => {
    const { details } = await read(made('github', { contributors: null, files: { 'README.md': '' } }));

    expect(details).toMatchObject({
      releases: { count: 0, latestAt: null },
      contributors: null,
      securityPolicy: { present: false },
      manifests: [],
    });
  });

  it('does not know what an undocumented answer would say', async () => {
    const known = made('github', { files: { 'package.json': '{"name":"tool"}', constructor: '' } });
    standIn.trouble(
      { kind: 'answer', status: 200, body: '{"releases":3}' },
      { kind: 'endless' },
      { kind: 'answer', status: 200, body: '[{"name":7}]' },
      {
        kind: 'answer',
        status: 200,
        body: '{"id":8,"type":"Organization","created_at":"2010-01-01T00:00:00Z"}',
      },
    );

    const { details } = await read(known);

    const { releases, contributors, securityPolicy, manifests, owner } = details;
    expect([releases, contributors, securityPolicy, manifests, owner]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('does not know the packages if a manifest is too large to be read', async () => {
    const known = made('github', { files: { 'package.json': '{"name":"tool"}' } });
    standIn.onRequest(async (path) => {
      if (path.includes('contents/package.json')) standIn.trouble({ kind: 'endless' });
    });

    expect((await read(known)).details.manifests).toBeNull();
  });

  it('asks for nothing outside of the repository, whatever a file is called', async () => {
    const known = made('github', { files: { '../../users/x/package.json': '{"name":"evil"}' } });

    const { details } = await read(known);

    expect(details.manifests).toEqual([]);
    expect(standIn.requests.map(({ path }) => path).filter((path) => /users/.test(path))).toEqual([]);
  });

  it.each([
    ['not_found', 404, {}],
    ['unavailable', 500, {}],
    ['limited', 429, { 'retry-after': '77' }],
    ['limited', 403, { 'x-ratelimit-remaining': '0' }],
  ])('fails as %s if the host answers %i to all', async (kind, status, headers) => {
    const known = made('github');
    standIn.trouble(...Array.from({ length: 5 }, () => ({ kind: 'answer', status, headers }) as const));

    const failure = await failureOf(read(known));

    expect(failure.kind).toBe(kind);
    if (status === 429) expect([failure.retryAfterSeconds, standIn.requests.length]).toEqual([77, 1]);
  });

  it('takes a limit for a limit, although the same status can mean a list that is too large', async () => {
    const known = made('github');
    standIn.onRequest(async (path) => {
      if (path.includes('contributors')) {
        standIn.trouble({ kind: 'answer', status: 403, headers: { 'retry-after': '60' } });
      }
    });

    expect((await failureOf(read(known))).kind).toBe('limited');
  });

  it('follows a renamed repository by its id, and does not read another one of its name', async () => {
    const onGithub = made('github', { name: 'maker/newer', formerNames: ['maker/tool'], releases: RELEASES });
    const onForgejo = { ...made('forgejo'), hostRepositoryId: '1' };

    expect((await read(onGithub)).details.releases?.count).toBe(3);
    expect((await failureOf(read(onForgejo))).kind).toBe('moved');
  });
});
