import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../app.ts';
import { loadConfig } from '../../config.ts';
import type { Database } from '../../database/connect.ts';
import { createServices, type Services } from '../../services.ts';
import { replaceClock } from '../clock.ts';
import { createTestDatabase } from '../database.ts';
import { freePort } from '../server-process.ts';

/** The whole server on a port of its own, with a clock under the test's control. */
export interface TestSite {
  readonly url: string;
  readonly database: Database;
  readonly services: Services;
  close(): Promise<void>;
}

/** Starts it on an empty database; limits are off, since a test asks more often than a person. */
export async function openTestSite(environment: Record<string, string> = {}): Promise<TestSite> {
  const test = await createTestDatabase();
  await replaceClock(test.database);
  const port = environment.PORT === undefined ? await freePort() : Number(environment.PORT);
  const config = loadConfig({
    LOG_LEVEL: 'silent',
    PORT: String(port),
    RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
    RATE_LIMIT_WRITE_PER_MINUTE: '0',
    RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '0',
    ...environment,
  });
  const services = createServices(config, { databaseUrl: test.url });
  const app: FastifyInstance = await buildApp(services);
  await app.listen({ host: '127.0.0.1', port });
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
