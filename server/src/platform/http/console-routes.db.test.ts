import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeSession } from '../../../testing/factories.ts';
import { createStandIn } from '../../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../../app.ts';
import { createServices, type Services } from '../../services.ts';
import { loadConfig } from '../config/load-config.ts';
import type { ContractOperation } from './contract/contract.ts';
import { loadContract } from './contract/parse-contract.ts';

const STRANGER = 'https://stranger.example';
const NAMED = 'https://app.example';
const ROUTES = loadContract()
  .operations.filter(({ path }) => path.startsWith('/api/console/'))
  .map((operation) => [operation.operationId, operation] as const);

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const config = loadConfig({
    LOG_LEVEL: 'silent',
    CORS_ORIGINS: NAMED,
    RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '1000',
  });
  services = createServices(config, { databaseUrl: test.url, backend: createStandIn() });
  app = await buildApp(services);
});
afterAll(async () => {
  await app.close();
  await services.close();
  await test.close();
});

/** Valid body for each route that takes one; otherwise contract validation would hide later checks. */
const BODIES: Readonly<Record<string, object>> = {
  linkAccount: { kind: 'repo_host', host: 'github.com', handle: 'example-labs' },
  setOverage: { enabled: false },
  setKeyLimits: { monthly_calls: 100, monthly_credits: null },
  setHandle: { handle: 'example-labs' },
  createKey: { scopes: ['scores:read'] },
};

function call({ operationId, method, path }: ContractOperation, headers: Record<string, string>) {
  const url = path
    .replace('{childId}', 'AGT-00000000')
    .replace('/agents/{id}', '/agents/AGT-00000000')
    .replace('{id}', '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47');
  const payload = BODIES[operationId];
  return app.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) });
}

describe.each(ROUTES)('%s', (_operationId, operation) => {
  it('accepts only a session, no access key, whatever its scopes', async () => {
    const { key } = await makeAccount(test.database);

    const answer = await call(operation, { authorization: `Bearer ${key.secret}` });

    expect([answer.statusCode, answer.json().error]).toEqual([401, 'unauthorized']);
  });

  it('is neither readable by other origins nor cacheable', async () => {
    const { accountId } = await makeAccount(test.database);
    const { cookie } = await makeSession(test.database, accountId);

    for (const origin of [STRANGER, NAMED]) {
      const answer = await call(operation, { cookie, origin });

      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store');
      if (operation.method !== 'GET') expect(answer.json().error).toBe('csrf_failed');
    }
  });
});
