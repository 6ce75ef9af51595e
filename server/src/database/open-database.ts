import type { Config } from '../config/load-config.ts';
import { adviceOn } from './embedded/advice.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';

export interface OpenDatabase {
  url: string;
  /** Whether it is the embedded one, kept under the data folder. */
  embedded: boolean;
  /** Brings back an embedded server that was killed; answers whether it had to. */
  revive(): Promise<boolean>;
  /** Leaves the database; an embedded one that nobody else uses is stopped. */
  stop(): Promise<void>;
}

/** The database that the configuration names, or else the embedded one, started or joined. */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<OpenDatabase> {
  if (config.databaseUrl)
    return {
      url: config.databaseUrl,
      embedded: false,
      revive: async () => false,
      stop: async () => undefined,
    };
  const server = await openEmbeddedPostgres(config.dataDir).catch((error: NodeJS.ErrnoException) => {
    // A system error names no setting; our own sentences already do.
    if (!error.syscall) throw error;
    const advice = adviceOn(`${error.code} ${error.message}`);
    const reason = `DATA_DIR ${config.dataDir} cannot be used: ${error.message}.`;
    throw new Error(advice === null ? reason : `${reason} ${advice}.`);
  });
  return { url: server.url, embedded: true, revive: () => server.revive(), stop: () => server.stop() };
}
