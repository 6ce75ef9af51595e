import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, type TestAccount } from '../../../testing/factories.ts';
import { buildApp } from '../../app.ts';
import { loadConfig } from '../../platform/config/load-config.ts';
import { createServices, type Services } from '../../services.ts';

const MANY = 30;
/** Wait behind other registrations of the same account after which a request gets a 503. */
const MAX_WAIT_MS = 20_000;
let test: TestDatabase;
let services: Services;
let app: FastifyInstance;
let account: TestAccount;

beforeAll(async () => {
  test = await createTestDatabase();
  const config = loadConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: 'https://trust.example' });
  services = createServices(config, { databaseUrl: test.url });
  app = await buildApp(services);
});
beforeEach(async () => {
  account = await makeAccount(test.database);
});
afterAll(async () => {
  await app.close();
  await services.close();
  await test.close();
});

/**
 * Registers, and repeats a registration that has waited too long on a slow machine. A refusal after a shorter wait
 * fails the test.
 */
async function registerPatiently(repository: string, key: string) {
  for (;;) {
    const startedAt = performance.now();
    const answer = await register(repository, key);
    if (answer.status !== 503 || performance.now() - startedAt < MAX_WAIT_MS) return answer;
  }
}

async function register(repository: string, idempotency_key: string) {
  const { statusCode: status, body } = await app.inject({
    method: 'POST',
    url: '/api/agents/register',
    headers: { authorization: `Bearer ${account.key.secret}` },
    payload: {
      ...{ repoHostUrl: `https://github.com/${repository}`, name: 'Robot', description: 'Draws maps.' },
      ...{ category: 'coding', idempotency_key },
    },
  });
  return { status, body: JSON.parse(body) as Record<string, unknown> };
}

describe(`${MANY} concurrent registrations of one account`, () => {
  it('all succeed, each with its own key', { timeout: 120_000 }, async () => {
    const numbers = Array.from({ length: MANY }, (_, number) => number);

    const answers = await Promise.all(
      numbers.map((number) => registerPatiently(`acme/robot-${number}`, `key-${number}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(MANY).fill(201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(MANY);
  });

  itAtNight('with the same body and key all get the same response', { timeout: 120_000 }, async () => {
    const answers = await Promise.all(
      Array.from({ length: MANY }, () => registerPatiently('acme/robot', 'one')),
    );

    const [first] = answers;
    expect(first).toMatchObject({ status: 201, body: { listingUrl: 'https://trust.example/acme/robot' } });
    expect(answers).toEqual(Array(MANY).fill(first));
  });

  it('with the same key and another body get a 422', async () => {
    await register('acme/one', 'one');

    expect(await register('acme/other', 'one')).toMatchObject({
      ...{ status: 422, body: { error: 'idempotency_key_reused', status: 422 } },
    });
  });
});
