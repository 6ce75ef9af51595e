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

type Where = Pick<Config, 'databaseUrl' | 'dataDir'>;

/**
 * Opens the database, and loads what works on it from the moment that a program of PostgreSQL is on its way: before it, each
 * file that is looked for would wait for hundreds of ours.
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
  // Who waits for the database hears why there is none.
  loading.catch(() => undefined);
  return { opening, loading };
}

/**
 * The database that the configuration names, or else the embedded one, started or joined. `onProgram` is told whenever a program
 * of PostgreSQL is on its way.
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
      // A system error names no setting; our own sentences already do.
      if (!error.syscall) throw error;
      const advice = adviceOn(`${error.code} ${error.message}`);
      const reason = `DATA_DIR ${config.dataDir} cannot be used: ${error.message}.`;
      throw new Error(advice === null ? reason : `${reason} ${advice}.`);
    },
  );
  return { url: server.url, embedded: true, revive: () => server.revive(), stop: () => server.stop() };
}
