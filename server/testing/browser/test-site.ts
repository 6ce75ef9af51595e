import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../src/app.ts';
import { loadConfig, onPort } from '../../src/platform/config/load-config.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { type HeldPort, holdPort } from '../../src/platform/http/unusable-address.ts';
import { createKey, parseKeySet } from '../../src/scoring/signing/signing-keys.ts';
import { createServices, type Services } from '../../src/services.ts';
import { replaceClock } from '../clock.ts';
import { createTestDatabase } from '../database.ts';

/** Complete server on its own port, with a clock that the test controls. */
export interface TestSite {
  readonly url: string;
  readonly database: Database;
  readonly services: Services;
  close(): Promise<void>;
}

/**
 * Starts the server on an empty database, without rate limits, because tests send more requests than people. A test
 * that must know the port in advance passes a reserved one.
 */
export async function openTestSite(
  environment: Record<string, string> = {},
  held?: HeldPort,
): Promise<TestSite> {
  const test = await createTestDatabase();
  await replaceClock(test.database);
  const { port, listen } = held ?? (await holdPort('127.0.0.1'));
  const asked = loadConfig({
    LOG_LEVEL: 'silent',
    PORT: '0',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
    RATE_LIMIT_WRITE_PER_MINUTE: '0',
    RATE_LIMIT_READ_PER_MINUTE: '0',
    RATE_LIMIT_UNKEYED_PER_MINUTE: '0',
    RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '0',
    ...environment,
  });
  const config = onPort(asked, port);
  const services = createServices(config, {
    databaseUrl: test.url,
    signingKeys: parseKeySet(JSON.stringify(createKey()), 'the key of a test'),
  });
  const app: FastifyInstance = await buildApp(services);
  await listen(app);
  return {
    url: config.publicUrl,
    database: test.database,
    services,
    async close() {
      await app.close();
      await services.close();
      await test.close();
    },
  };
}
