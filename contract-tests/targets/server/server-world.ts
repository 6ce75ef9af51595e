import { inject } from 'vitest';
import type { Database } from '../../../server/src/platform/database/connect.ts';
import { createTestDatabase } from '../../../server/testing/database.ts';
import { type StandInHost, startStandInHost } from '../../../server/testing/stand-ins/stand-in-host.ts';
import { makeScore } from '../../../server/testing/subjects/registry.factory.ts';
import { type ControlledBackend, createControlledBackend } from './controlled-backend.ts';
import { type ListeningServer, startServer } from './start-server.ts';

/**
 * Kinds of servers that states need. `failing`: the database was never migrated, so that every statement fails
 * unexpectedly. `cut off`: the database does not exist. `limited by address`: allows each client address one request.
 * `limited`: allows one request of each kind. `scored elsewhere`: an external backend scores.
 */
export type ServerKind =
  | 'working'
  | 'failing'
  | 'cut off'
  | 'limited by address'
  | 'limited'
  | 'scored elsewhere';

/** A database with the servers that use it and their scoring backend. */
export interface ServerWorld {
  readonly database: Database;
  readonly backend: ControlledBackend;
  /** The repository hosts and registries that the servers read. */
  readonly hosts: StandInHost;
  /** Base URL of a server, started when it is first asked for. */
  urlOf(kind: ServerKind): Promise<string>;
  /** Registers work to do after the test. */
  afterTest(undo: () => unknown): void;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

const ONE_EACH = {
  RATE_LIMIT_PUBLIC_PER_MINUTE: '1',
  RATE_LIMIT_READ_PER_MINUTE: '1',
  RATE_LIMIT_WRITE_PER_MINUTE: '1',
  RATE_LIMIT_METERED_PER_MINUTE: '1',
  RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '1',
};

/** Makes the server read client addresses from X-Forwarded-For, so that each test can have its own address. */
const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.1/32' };

/** Database URL at which nothing listens, so the server hears of no changes and caches no responses. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing';
const KEEPS_NOTHING = { KEPT_ANSWERS_MB: '0' };

/** Servers without data, which no test can change. */
type WithoutData = 'failing' | 'cut off' | 'limited by address';
const shared = new Map<WithoutData, Promise<ListeningServer>>();

function isWithoutData(kind: ServerKind): kind is WithoutData {
  return kind === 'failing' || kind === 'cut off' || kind === 'limited by address';
}

/** Returns a server that all files of this worker share; it ends with the worker. */
function sharedServer(kind: WithoutData): Promise<ListeningServer> {
  const backend = createControlledBackend();
  // The maintenance database has no table.
  const withoutTables = inject('testServerUrl');
  const start = {
    failing: () => startServer(withoutTables, backend),
    'cut off': () => startServer(NOWHERE, backend, KEEPS_NOTHING),
    'limited by address': () => startServer(withoutTables, backend, { ...ONE_EACH, ...BEHIND_PROXY }),
  };
  const server = shared.get(kind) ?? start[kind]();
  shared.set(kind, server);
  return server;
}

/** Creates a migrated database and a stand-in host, and starts the `working` server; other kinds start when first asked for. */
export async function openServerWorld(): Promise<ServerWorld> {
  const migrated = await createTestDatabase();
  const backend = createControlledBackend();
  const hosts = await startStandInHost();
  hosts.world.showsAnyRepository = true;
  const running = new Map<ServerKind, Promise<ListeningServer>>();
  let undoings: (() => unknown)[] = [];

  async function start(kind: Exclude<ServerKind, WithoutData>): Promise<ListeningServer> {
    if (kind === 'limited') return startServer(migrated.url, backend, ONE_EACH);
    if (kind === 'working') return startServer(migrated.url, backend, { HOST_API_URLS: hosts.environment });
    return startServer(migrated.url, { ...backend, source: 'scores.example' });
  }
  function serverOf(kind: ServerKind): Promise<ListeningServer> {
    if (isWithoutData(kind)) return sharedServer(kind);
    const server = running.get(kind) ?? start(kind);
    running.set(kind, server);
    return server;
  }
  const { database } = await serverOf('working');

  return {
    database,
    backend,
    hosts,
    urlOf: async (kind) => (await serverOf(kind)).url,
    afterTest: (undo) => undoings.push(undo),
    async restore() {
      backend.restore();
      for (const undo of undoings.splice(0).reverse()) await undo();
    },
    async stop() {
      undoings = [];
      for (const server of running.values()) await (await server).close();
      await hosts.close();
      await migrated.close();
    },
  };
}

/** Stores a confirmed score of medium size. */
export function giveScore(world: ServerWorld, subjectId: string): Promise<void> {
  return makeScore(world.database, { id: subjectId }, { trust: 61.5, confidence: 48.2, tier: 'medium' });
}
