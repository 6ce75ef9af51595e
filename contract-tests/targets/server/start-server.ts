import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { buildApp } from '../../../server/src/app.ts';
import { loadConfig } from '../../../server/src/platform/config/load-config.ts';
import type { Database } from '../../../server/src/platform/database/connect.ts';
import { subscribeToInvalidation } from '../../../server/src/platform/http/response-cache/subscribe-to-invalidation.ts';
import type { ScoringBackend } from '../../../server/src/scoring/scoring-backend.ts';
import { createKey, parseKeySet } from '../../../server/src/scoring/signing/signing-keys.ts';
import { createServices } from '../../../server/src/services.ts';
import { PUBLIC_URL } from '../client.ts';

/** The real server, listening. */
export interface ListeningServer {
  readonly url: string;
  /** Database object that the server itself uses. A write through it invalidates the server's cached responses immediately. */
  readonly database: Database;
  close(): Promise<void>;
}

const LOOK_AGAIN_MS = 10;
const PLENTY = '1000000';

/** Settings with rate limits so high that no test reaches them, unless the test sets its own limits. */
const UNLIMITED = {
  RATE_LIMIT_PUBLIC_PER_MINUTE: PLENTY,
  RATE_LIMIT_READ_PER_MINUTE: PLENTY,
  RATE_LIMIT_WRITE_PER_MINUTE: PLENTY,
  RATE_LIMIT_METERED_PER_MINUTE: PLENTY,
  RATE_LIMIT_UNKEYED_PER_MINUTE: PLENTY,
  RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: PLENTY,
};

/** Key with which every server of these tests signs scores. */
const SIGNING_KEYS = parseKeySet(JSON.stringify(createKey()), 'the key of the contract tests');

/** Starts the real server on a loopback port with a database of the caller, and with the default response cache. */
export async function startServer(
  databaseUrl: string,
  backend: ScoringBackend,
  environment: Readonly<Record<string, string>> = {},
): Promise<ListeningServer> {
  const config = loadConfig({
    LOG_LEVEL: 'silent',
    PUBLIC_URL,
    ...UNLIMITED,
    ...environment,
  });
  const services = createServices(config, { databaseUrl, backend, signingKeys: SIGNING_KEYS });
  const { cache: memory } = services.answers;
  const listening = memory && subscribeToInvalidation(databaseUrl, memory, services.reads);
  while (memory?.isOpen === false) await setTimeout(LOOK_AGAIN_MS);
  const app = await buildApp(services);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    database: services.database,
    async close() {
      await listening?.stop();
      await app.close();
      await services.close();
    },
  };
}
