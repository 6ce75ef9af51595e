import type { ServerProcess } from '../server/testing/server-process.ts';
import type { Arena } from './arena.ts';

/** Server processes on one database, which can be stopped and replaced individually. */
export interface Fleet {
  /** Base URLs of running processes. */
  targets(): string[];
  /** Process ids of running processes. */
  pids(): number[];
  /** Number of running processes. */
  size(): number;
  /** Stops the process at this index and resolves with its exit. */
  end(place: number, signal: NodeJS.Signals): ReturnType<ServerProcess['end']>;
  /** Starts a new process at the index of a stopped one. */
  restart(place: number): Promise<void>;
  /** Returns a message with the last output of each process that ended without `end`. */
  fallen(): string[];
}

const LAST_WORDS = 1_500;

/** Starts real servers on a database and a scoring backend. */
export async function startFleet(
  arena: Arena,
  size: number,
  databaseUrl: string,
  upstreamUrl: string,
  env: Record<string, string> = {},
): Promise<Fleet> {
  const start = () => arena.server(databaseUrl, upstreamUrl, env);
  const servers: (ServerProcess | null)[] = await Promise.all(Array.from({ length: size }, start));
  const running = () => servers.filter((server) => server !== null);
  return {
    targets: () => running().map(({ baseUrl }) => baseUrl),
    pids: () => running().map(({ pid }) => pid),
    size: () => running().length,
    async end(place, signal) {
      const server = servers[place];
      if (!server) throw new Error(`no server runs at place ${place}`);
      servers[place] = null;
      return server.end(signal);
    },
    async restart(place) {
      servers[place] = await start();
    },
    fallen: () =>
      running()
        .filter(({ pid }) => !isAlive(pid))
        .map((server) => `a server ended by itself: ${server.output().stderr.slice(-LAST_WORDS)}`),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
