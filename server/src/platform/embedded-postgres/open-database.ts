import type { Config } from '../config/load-config.ts';
import { adviceOn } from './advice.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';

export interface OpenDatabase {
  url: string;
  /** True for the embedded server under the data folder. */
  embedded: boolean;
  /** Restarts the embedded server if it was killed. Returns true if this process restarted it. */
  revive(): Promise<boolean>;
  /** Disconnects. The last process that uses an embedded server stops it. */
  stop(): Promise<void>;
}

type Where = Pick<Config, 'databaseUrl' | 'dataDir'>;

/**
 * Opens the database and loads the application modules meanwhile. Loading starts only when a PostgreSQL program has
 * been launched, because the launch would otherwise wait behind hundreds of file reads. The start takes at most 1,000
 * ms more than that of PostgreSQL alone (`npm run bench -- start`). Without loading in parallel,
 * `open-database.e2e.test.ts` fails.
 */
export function openWhileLoading<Parts>(
  where: Where,
  load: () => Promise<Parts>,
): { opening: Promise<OpenDatabase>; loading: Promise<Parts> } {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const opening = openDatabase(where, begin);
  const loading = Promise.race([begun, opening]).then(load);
  // The caller that awaits the database gets its error.
  loading.catch(() => undefined);
  return { opening, loading };
}

/**
 * Opens the configured database or, without one, starts or joins the embedded server. Calls `onProgram` whenever it
 * launches a PostgreSQL program.
 */
export async function openDatabase(config: Where, onProgram?: () => void): Promise<OpenDatabase> {
  if (config.databaseUrl)
    return {
      url: config.databaseUrl,
      embedded: false,
      revive: async () => false,
      stop: async () => undefined,
    };
  const server = await openEmbeddedPostgres(config.dataDir, onProgram).catch(
    (error: NodeJS.ErrnoException) => {
      // System errors do not name the setting; our own errors do.
      if (!error.syscall) throw error;
      const advice = adviceOn(`${error.code} ${error.message}`);
      const reason = `DATA_DIR ${config.dataDir} cannot be used: ${error.message}.`;
      throw new Error(advice === null ? reason : `${reason} ${advice}.`);
    },
  );
  return { url: server.url, embedded: true, revive: () => server.revive(), stop: () => server.stop() };
}
