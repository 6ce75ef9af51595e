import type { Config } from '../config.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';

export interface OpenDatabase {
  url: string;
  /** Whether it is the embedded one, kept under the data folder. */
  embedded: boolean;
  /** Leaves the database; an embedded one that nobody else uses is stopped. */
  stop(): Promise<void>;
}

/** The database that the configuration names, or else the embedded one, started or joined. */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<OpenDatabase> {
  if (config.databaseUrl) return { url: config.databaseUrl, embedded: false, stop: async () => undefined };
  const server = await openEmbeddedPostgres(config.dataDir);
  return { url: server.url, embedded: true, stop: () => server.stop() };
}
