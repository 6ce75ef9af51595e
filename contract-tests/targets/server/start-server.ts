import type { AddressInfo } from 'node:net';
import { buildApp } from '../../../server/src/app.ts';
import { loadConfig } from '../../../server/src/config/load-config.ts';
import type { ScoringBackend } from '../../../server/src/scoring/scoring-backend.ts';
import { createServices } from '../../../server/src/services.ts';
import { PUBLIC_URL } from '../client.ts';

/** The real server, listening. */
export interface ListeningServer {
  readonly url: string;
  close(): Promise<void>;
}

const PLENTY = '1000000';

/** Limits that no test meets unless it asks for its own. */
const UNLIMITED = {
  RATE_LIMIT_PUBLIC_PER_MINUTE: PLENTY,
  RATE_LIMIT_READ_PER_MINUTE: PLENTY,
  RATE_LIMIT_WRITE_PER_MINUTE: PLENTY,
  RATE_LIMIT_METERED_PER_MINUTE: PLENTY,
  RATE_LIMIT_UNKEYED_PER_MINUTE: PLENTY,
  RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: PLENTY,
};

/** Starts the real server on a loopback port, over a database that the caller owns. */
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
  const services = createServices(config, { databaseUrl, backend });
  const app = await buildApp(services);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await app.close();
      await services.close();
    },
  };
}
