import type { ServerProcess } from '../server/testing/server-process.ts';
import type { Arena } from './arena.ts';

/** Several server processes on one database, which can be ended and replaced one by one. */
export interface Fleet {
  /** Base addresses of those that run. */
  targets(): string[];
  /** Process ids of those that run. */
  pids(): number[];
  /** How many run. */
  size(): number;
  /** Ends the one at this place and resolves with how it ended; it takes no part any more. */
  end(place: number, signal: NodeJS.Signals): ReturnType<ServerProcess['end']>;
  /** Puts a new process into the place of an ended one. */
  restart(place: number): Promise<void>;
  /** What those that ended by themselves wrote last. */
  fallen(): string[];
}

const LAST_WORDS = 1_500;

/** Starts so many real servers on a database and a scoring backend. */
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
