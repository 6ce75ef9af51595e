import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { makeListing } from '../../../testing/factories.ts';
import { buildApp } from '../../app.ts';
import { createServices, type Services } from '../../services.ts';
import { loadConfig } from '../config/load-config.ts';
import type { ContractOperation } from './contract/contract.ts';
import { loadContract } from './contract/parse-contract.ts';

const { operations } = loadContract();
let test: TestDatabase;
let services: Services;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const config = loadConfig({ LOG_LEVEL: 'silent', RATE_LIMIT_PUBLIC_PER_MINUTE: '0' });
  services = createServices(config, { databaseUrl: test.url });
  app = await buildApp(services);
});
afterAll(async () => {
  await app.close();
  await services.close();
  await test.close();
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

async function ask(method: string, url: string) {
  const { statusCode, headers, body } = await app.inject({ method: method as Method, url });
  return { status: statusCode, allow: headers.allow, body, requestId: headers['x-request-id'] };
}

const isLiteral = ({ path }: ContractOperation) => !path.includes('{');
const patternOfPath = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const some = (path: string) => path.replaceAll(/\{\w+\}/g, 'AGT-00000000');

describe('a slash at the end', () => {
  it('changes nothing of what any operation answers', async () => {
    const check = async ({ method, path }: ContractOperation) => {
      const plain = await ask(method, some(path));

      const slashed = await ask(method, `${some(path)}/`);

      expect({ ...slashed, requestId: null }).toEqual({ ...plain, requestId: null });
    };

    await expectEveryRow(operations, ({ method, path }) => `${method} ${path}`, check);
  });

  it('answers the list, with its query, and the record of an agent', async () => {
    const { agentId } = await makeListing(test.database);

    expect(JSON.parse((await ask('GET', '/api/agents/?limit=1')).body)).toMatchObject({
      total: 1,
      limit: 1,
      data: [{ id: agentId }],
    });
    expect(JSON.parse((await ask('GET', `/api/agents/${agentId}/`)).body)).toMatchObject({ id: agentId });
  });
});

describe('a literal path of the contract', () => {
  const mistakable = operations.filter(isLiteral).flatMap(({ path }) => {
    const own = operations.filter((other) => other.path === path).map(({ method }) => method);
    const like = operations.filter((other) => !isLiteral(other) && patternOfPath(other.path).test(path));
    return like.filter(({ method }) => !own.includes(method)).map(({ method }) => ({ method, path, own }));
  });

  it('shares its position with a parameter somewhere', () => {
    expect(mistakable.map(({ method, path }) => `${method} ${path}`)).toContain('GET /api/agents/register');
  });

  it.each(mistakable)('is never taken for an id: $method $path', async ({ method, path, own }) => {
    for (const url of [path, `${path}/`, `${path}?x=1`]) {
      const answer = await ask(method, url);

      expect(answer).toMatchObject({ status: 405, allow: own.join(', ') });
      expect(JSON.parse(answer.body)).toMatchObject({ error: 'method_not_allowed', status: 405 });
      expect(answer.requestId).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('names its own methods only, whatever method is wrong', async () => {
    for (const method of ['HEAD', 'PUT', 'DELETE', 'PATCH']) {
      expect(await ask(method, '/api/agents/register')).toMatchObject({ status: 405, allow: 'POST' });
    }
  });
});
