import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { createStandIn } from '../../../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../../../app.ts';
import { createServices, type Services } from '../../../services.ts';
import { loadConfig } from '../../config/load-config.ts';
import { serializeContract } from './flatten-contract.ts';
import { loadContract } from './parse-contract.ts';

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const config = loadConfig({ LOG_LEVEL: 'silent' });
  services = createServices(config, { databaseUrl: test.url, backend: createStandIn() });
  app = await buildApp(services);
});
afterAll(async () => {
  await app.close();
  await services.close();
  await test.close();
});

describe('the contract that a server shows', () => {
  it('is the file as it was written, and its flattened form', async () => {
    const { document } = loadContract();
    const [yaml, json] = await Promise.all([app.inject('/openapi.yaml'), app.inject('/openapi.json')]);

    expect(yaml.body).toBe(readFileSync(new URL('../../../../../openapi.yaml', import.meta.url), 'utf8'));
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(json.body).toBe(serializeContract(document));
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each(['/openapi.yaml', '/openapi.json'])('%s is not sent again to who has it', async (url) => {
    const { headers } = await app.inject(url);
    const again = await app.inject({ url, headers: { 'if-none-match': headers.etag } });

    expect(headers['cache-control']).toMatch(/^public, /);
    expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});
