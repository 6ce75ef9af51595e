import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { makeAccount, makeSession } from '../../testing/factories.ts';
import { type MadeListing, makeCreator, makeListing } from '../../testing/subjects/registry.factory.ts';
import { buildApp } from '../app.ts';
import { refreshCreatorAliases } from '../catalog/creators/creator-names.ts';
import { createPublicUrls } from '../catalog/subjects/public-path.ts';
import { lineageReport } from '../operations/lineage-report.queries.ts';
import { loadConfig } from '../platform/config/load-config.ts';
import { createServices, type Services } from '../services.ts';

const SITE = 'http://trust.example';
const HOST_ORDER = 'github.com,gitlab.com,git.own.example';

/** Creators, their hosts and handles, and the handle that resolves to each. */
const HANDLE_OWNERS = [
  ['github.com', 'acme', 'acme'],
  ['gitlab.com', 'Acme', 'gitlab.com:Acme'],
  ['codeberg.org', 'acme', 'codeberg.org:acme'],
  ['git.own.example', 'acme', 'git.own.example:acme'],
  ['git.sr.ht', 'acme', 'git.sr.ht:acme'],
  ['directory', 'acme', 'directory:acme'],
  ['gitlab.com', 'first-there', 'first-there'],
  ['codeberg.org', 'first-there', 'codeberg.org:first-there'],
  ['git.sr.ht', '~audit', '~audit'],
  ['git.one.example', 'twin', 'git.one.example:twin'],
  ['git.two.example', 'twin', 'git.two.example:twin'],
  ['git.sr.ht', 'lone', 'lone'],
  ['directory', 'lone', 'directory:lone'],
  ['directory', 'only-here', 'only-here'],
  ['github.com', 'passed-on', 'passed-on'],
  ['github.com', 'passed-on~4711', 'passed-on~4711'],
  ['bitbucket.org', '~passed~{0c8f6a1b-2e55}', '~passed~{0c8f6a1b-2e55}'],
  ['gitlab.com', 'merged', 'merged'],
] as const;

interface Shown {
  creator: { handle: string; displayName: string };
}

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;
let cookie: string;
let otherCookie: string;
let root: MadeListing;
const listings: MadeListing[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const { accountId } = await makeAccount(database);
  ({ cookie } = await makeSession(database, accountId));
  const other = await makeAccount(database);
  ({ cookie: otherCookie } = await makeSession(database, other.accountId));
  const owner = await makeCreator(database, { verified: true, accountId, displayName: 'owner' });
  root = await makeListing(database, { creator: owner, verified: true });
  for (const [host, handle, displayName] of HANDLE_OWNERS) {
    const accountOf = displayName === 'gitlab.com:Acme' ? other.accountId : null;
    const creator = await makeCreator(database, { host, handle, displayName, accountId: accountOf });
    listings.push(await makeListing(database, { creator, parentId: root.id }));
  }
  const last = listings.at(-1) as MadeListing;
  const former = await makeCreator(database, { handle: 'merged' });
  await database.query('UPDATE creator SET merged_into = $2 WHERE subject_id = $1', [
    former.id,
    last.creator.id,
  ]);
  await refreshCreatorAliases(database, [former.id, last.creator.id]);
  const config = loadConfig({
    DATABASE_URL: test.url,
    LOG_LEVEL: 'silent',
    PUBLIC_URL: SITE,
    REPOSITORY_HOSTS: HOST_ORDER,
    RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
  });
  services = createServices(config, { databaseUrl: test.url });
  app = await buildApp(services);
});
afterAll(async () => {
  await app?.close();
  await services?.close();
  await test?.close();
});

async function ask<Answer>(url: string, method: 'GET' | 'PUT' = 'GET', by = cookie): Promise<Answer> {
  const answer = await app.inject({ method, url, headers: { cookie: by, origin: SITE } });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200);
  return answer.json<Answer>();
}

/** Expects all handles, each of the right creator: display names equal handles, so that profiles can be told apart. */
function expectAll(shown: readonly Shown[]): void {
  const handles = shown
    .map(({ creator }) => creator.handle)
    .filter((handle) => handle !== root.creator.handle);
  expect(handles.sort()).toEqual(HANDLE_OWNERS.map(([, , name]) => name).sort());
  for (const { creator } of shown.filter(({ creator: { displayName } }) => displayName !== 'owner'))
    expect(creator.handle).toBe(creator.displayName);
}

it.each(HANDLE_OWNERS)('on %s, the creator %s has the profile under %s', async (_host, _handle, name) => {
  const profile = await ask<Shown['creator']>(`/api/identity/${encodeURIComponent(name)}`);

  expect(profile).toMatchObject({ handle: name, displayName: name });
});

it('names every creator of a list by the handle of its profile', async () => {
  expectAll((await ask<{ data: Shown[] }>('/api/agents?limit=100')).data);
});

it('names the creator of a single agent and of its lineage by the handle of its profile', async () => {
  const publicUrls = createPublicUrls(SITE, HOST_ORDER.split(','));
  const shown: Shown[] = [];
  for (const { id, agentId } of listings) {
    const agent = await ask<Shown>(`/api/agents/${agentId}`);
    shown.push(agent);
    expect(await lineageReport(test.database, id, publicUrls)).toMatchObject({
      creator: { handle: agent.creator.handle },
    });
  }
  expectAll(shown);
});

it('names every creator of a family by the handle of its profile', async () => {
  const { descendants } = await ask<{ descendants: { agent: Shown }[] }>(
    `/api/agents/${root.agentId}/lineage`,
  );
  const leaf = await makeListing(test.database, { parentId: listings[1]?.id ?? null });
  const { ancestors } = await ask<{ ancestors: { agent: Shown }[] }>(`/api/agents/${leaf.agentId}/lineage`);

  await test.database.query(
    'UPDATE listing SET parent_id = NULL, parent_relation = NULL, parent_stated = NULL WHERE subject_id = $1',
    [leaf.id],
  );
  expectAll(descendants.map(({ agent }) => agent));
  expect(ancestors[0]?.agent.creator.handle).toBe('gitlab.com:Acme');
});

it('names every creator of child claims by the handle of its profile', async () => {
  const { data } = await ask<{ data: { agent: Shown }[] }>('/api/console/lineage?limit=100');
  const [, second] = listings;
  const claim = await ask<{ agent: Shown }>(`/api/console/lineage/${second?.agentId}/acknowledgement`, 'PUT');

  expectAll(data.map(({ agent }) => agent));
  expect(claim.agent.creator.handle).toBe('gitlab.com:Acme');
});

it("names the creator of one's own listings by the handle of its profile", async () => {
  const { data } = await ask<{ data: Shown[] }>('/api/console/agents', 'GET', otherCookie);

  expect(data.map(({ creator }) => creator.handle)).toEqual(['gitlab.com:Acme']);
});
