import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeSession, type TestAccount } from '../../../testing/factories.ts';
import { type StandInHost, startStandInHost } from '../../../testing/stand-ins/stand-in-host.ts';
import { type MadeListing, makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { buildApp } from '../../app.ts';
import { loadConfig } from '../../platform/config/load-config.ts';
import { createServices, type Services } from '../../services.ts';

const ORIGIN = 'http://127.0.0.1:4000';
let test: TestDatabase;
let standIn: StandInHost;
let services: Services;
let app: FastifyInstance;
let account: TestAccount;
let cookie: string;
let imported: MadeListing;

beforeAll(async () => {
  test = await createTestDatabase();
  standIn = await startStandInHost();
  standIn.world.showsAnyRepository = true;
  const config = loadConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: ORIGIN, HOST_API_URLS: standIn.environment });
  services = createServices(config, { databaseUrl: test.url });
  app = await buildApp(services);
  const creator = await makeCreator(test.database, { handle: 'acme', displayName: 'Acme Inc' });
  imported = await makeListing(test.database, {
    repository: 'acme/robot',
    type: 'agent',
    creator,
    license: 'MIT',
  });
  account = await makeAccount(test.database, { handle: 'somebody' });
  ({ cookie } = await makeSession(test.database, account.accountId));
});
afterAll(async () => {
  await app.close();
  await services.close();
  await standIn.close();
  await test.close();
});

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const headers = { cookie, origin: ORIGIN };
  const response = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  const body = response.headers['content-type']?.toString().includes('json')
    ? response.json()
    : response.body;
  return { status: response.statusCode, body };
}
const totals = async () =>
  (
    await Promise.all(['true', 'false'].map((verified) => call('GET', `/api/agents?verified=${verified}`)))
  ).map(({ body }) => [body.total, body.data.length]);

describe('a creator', () => {
  let linkId = '';

  it('registers in the console, and is as unverified as what was imported', async () => {
    const registered = await call('POST', '/api/agents/register', {
      repoHostUrl: 'https://github.com/acme/drone',
      name: 'Drone',
      description: 'Flies.',
      category: 'automation',
    });

    expect(registered).toMatchObject({ status: 201 });
    expect(await totals()).toEqual([
      [0, 0],
      [2, 2],
    ]);
    expect((await call('GET', '/api/identity/acme')).body).toMatchObject({ verifiedAccounts: {} });
  });

  it('links an account, and cannot prove it before the code is published', async () => {
    const account = standIn.world.account({ handle: 'acme', createdAt: '2014-03-02T10:00:00Z' });
    const link = await call('POST', '/api/console/linked-accounts', {
      kind: 'repo_host',
      host: 'github.com',
      handle: 'acme',
    });
    linkId = link.body.id;

    expect(link).toMatchObject({ status: 201, body: { state: 'pending' } });
    expect(await call('POST', `/api/console/linked-accounts/${linkId}/verify`)).toMatchObject({
      status: 409,
    });
    expect(await totals()).toEqual([
      [0, 0],
      [2, 2],
    ]);
    account.profile = `We make robots. ${link.body.code}`;
  });

  it('proves it: list, filter, identity and pages show it, and scores know of it', async () => {
    expect(await call('POST', `/api/console/linked-accounts/${linkId}/verify`)).toMatchObject({
      status: 200,
      body: { state: 'proved', hostAccountCreatedAt: '2014-03-02T10:00:00.000000Z' },
    });

    expect(await totals()).toEqual([
      [2, 2],
      [0, 0],
    ]);
    const robot = (await call('GET', `/api/agents/${imported.agentId}`)).body;
    expect(robot).toMatchObject({
      verified: true,
      trustScore: expect.any(Number),
      creator: { handle: 'somebody', verified: true, trustScore: expect.any(Number) },
    });
    const identity = (await call('GET', '/api/identity/acme')).body;
    expect(identity).toMatchObject({
      handle: 'somebody',
      agentCount: 2,
      verifiedAccounts: { repoHost: true },
      trustScore: robot.creator.trustScore,
    });
    for (const page of ['/a/acme/robot', '/c/acme']) {
      expect((await call('GET', page)).body).toMatch(/>\s*verified\b/i);
      expect((await call('GET', page)).body).not.toMatch(/not verified/i);
    }
  });

  it('registers what was imported again: the same id, with their text', async () => {
    const again = await call('POST', '/api/agents/register', {
      repoHostUrl: 'https://github.com/acme/robot.git',
      name: 'The Robot',
      description: 'Draws maps.',
      category: 'data',
    });

    expect(again).toMatchObject({ status: 200, body: { id: imported.agentId } });
    expect((await call('GET', `/api/agents/${imported.agentId}`)).body).toMatchObject({ name: 'The Robot' });
  });

  it('removes the link, and is unverified at once', async () => {
    expect(await call('DELETE', `/api/console/linked-accounts/${linkId}`)).toMatchObject({ status: 204 });

    expect(await totals()).toEqual([
      [0, 0],
      [2, 2],
    ]);
    const robot = (await call('GET', `/api/agents/${imported.agentId}`)).body;
    expect(robot).toMatchObject({ verified: false, creator: { verified: false, trustScore: null } });
    const identity = (await call('GET', '/api/identity/acme')).body;
    expect(identity).toMatchObject({ verifiedAccounts: {}, trustScore: expect.any(Number) });
  });

  it('reaches none of it with an access key, nor from another site', async () => {
    const url = '/api/console/linked-accounts';
    const authorization = `Bearer ${account.key.secret}`;
    const payload = { kind: 'repo_host', host: 'github.com', handle: 'acme' };

    const withKey = await app.inject({ method: 'GET', url, headers: { authorization } });
    const foreign = await app.inject({
      method: 'POST',
      url,
      payload,
      headers: { cookie, origin: 'https://x.example' },
    });

    expect([withKey.statusCode, foreign.statusCode]).toEqual([401, 403]);
  });
});
