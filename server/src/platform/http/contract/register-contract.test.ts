import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import { createServices, type Services } from '../../../services.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { Contract } from './contract.ts';
import { loadContract, parseContract } from './parse-contract.ts';
import { prepareContract } from './prepare-contract.ts';

/** Database address that no test reaches. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing';

let services: Services;

beforeAll(() => {
  services = createServices(loadConfig({ LOG_LEVEL: 'silent' }), { databaseUrl: NOWHERE });
});
afterAll(() => services.close());

const serve = (contract: Contract) => buildApp({ ...services, openContract: async () => contract });

describe('a server of a contract that the build has judged', () => {
  const apps: FastifyInstance[] = [];

  beforeAll(async () => {
    const written = loadContract();
    const { routes } = JSON.parse(JSON.stringify(await prepareContract(written.text)));
    apps.push(await serve(written), await serve({ ...written, routes }));
  });
  afterAll(() => Promise.all(apps.map((app) => app.close())));

  it.each([
    ['GET', '/api/agents?limit=0&verified=perhaps'],
    ['GET', '/api/agents?limit=0x10'],
    ['GET', '/api/agents?tier=nothing'],
    ['HEAD', '/api/agents?tier=nothing'],
    ['GET', '/api/agents/not-an-id'],
    ['GET', '/api/receipts?limit=1000'],
    ['POST', '/api/svc/operations/run', { operation: 'nothing', more: 1 }],
    ['POST', '/api/svc/operations/run', { operation: 'agent_score', subject: 5, idempotency_key: 'k' }],
    ['POST', '/api/agents/register', { type: 'agent' }],
    ['GET', '/api/console/balance'],
    ['GET', '/openapi.json'],
    ['GET', '/openapi.yaml'],
  ] as const)(
    'answers %s %s as one does that judges it at its start',
    async (method, url, payload?: object) => {
      const [written, prepared] = await Promise.all(
        apps.map((app) => app.inject({ method, url, ...(payload && { payload }) })),
      );

      const told = ({ error, ...rest }: { error?: object } = {}) => ({
        ...rest,
        error: { ...error, request_id: '' },
      });
      const seen = (answer: typeof written) =>
        answer?.statusCode === 200 || method === 'HEAD' ? answer?.body : told(answer?.json());
      expect(seen(prepared)).toEqual(seen(written));
      expect(prepared?.statusCode).toBe(written?.statusCode);
      expect(written?.statusCode).not.toBe(404);
    },
  );
});

describe('a contract that nobody has judged', () => {
  const { text } = loadContract();

  it.each([
    ['is no OpenAPI', text.replace('  version: 0.1.0\n', ''), /valid specification/],
    [
      'has a schema that the validator does not take',
      text.replace('        maxLength: 200\n', '        longest: 200\n        maxLength: 200\n'),
      /longest/,
    ],
    [
      'has an operation without a handler',
      text.replace('operationId: listAgents', 'operationId: listRobots'),
      /listRobots .*has no handler/,
    ],
  ])('stops the start where it %s', async (_what, changed, reason) => {
    expect(changed).not.toBe(text);

    const starting = async () => (await serve(parseContract(changed))).ready();

    await expect(starting()).rejects.toThrow(reason);
  });
});
