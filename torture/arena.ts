import { randomUUID } from 'node:crypto';
import type { ConnectOptions } from '../server/src/platform/database/connect.ts';
import type { TestDatabase } from '../server/testing/clone-database.ts';
import { type ServerProcess, startServer } from '../server/testing/server-process.ts';
import { BrokenPromise, type Experiment, type Figures, mustBeNone } from './experiment.ts';
import { createRandom, type Random } from './random.ts';
import { openUpstream, type ScoringUpstream } from './scoring-upstream.ts';
import { findFaults } from './soundness.ts';

/** Provides the resources of an experiment. They are closed when the experiment ends, also after a failure. */
export interface Arena {
  readonly random: Random;
  /** Creates a migrated database; its ledger is checked after an experiment that has not failed. */
  database(options?: ConnectOptions): Promise<TestDatabase>;
  /** Opens an HTTP scoring backend that logs every call. */
  upstream(): Promise<ScoringUpstream>;
  /** Starts the built server on a database and a scoring backend, without rate limits unless `env` sets them. */
  server(databaseUrl: string, upstreamUrl: string, env?: Record<string, string>): Promise<ServerProcess>;
  /** Registers cleanup work, run in reverse order. */
  atEnd(work: () => Promise<unknown>): void;
  progress(done: number): void;
  /** Returns a guaranteed time limit multiplied by `patience`, because a machine with other load is slower. */
  limit(promisedMs: number): number;
}

export type MakeDatabase = (options?: ConnectOptions) => Promise<TestDatabase>;

export interface RunOptions {
  readonly seed: number;
  readonly makeDatabase: MakeDatabase;
  /** Timeout after which the experiment counts as failed; its resources are still closed. */
  readonly timeLimitMs?: number;
  readonly progress?: (done: number) => void;
  /** Factor for guaranteed time limits; 1 on an idle machine. */
  readonly patience?: number;
}

const NO_LIMITS = {
  RATE_LIMIT_METERED_PER_MINUTE: '0',
  RATE_LIMIT_UNKEYED_PER_MINUTE: '0',
  RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '0',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '0',
  RATE_LIMIT_READ_PER_MINUTE: '0',
};

/**
 * Runs one experiment with new resources and checks the resulting ledgers. Rejects with BrokenPromise if a guarantee
 * did not hold.
 */
export async function runExperiment(
  experiment: Experiment,
  amount: number,
  options: RunOptions,
): Promise<Figures> {
  const endings: (() => Promise<unknown>)[] = [];
  const databases: TestDatabase[] = [];
  const atEnd = (work: () => Promise<unknown>) => void endings.unshift(work);
  const arena: Arena = {
    random: createRandom(options.seed).fork(experiment.id),
    async database(connectOptions) {
      const made = await options.makeDatabase({ poolSize: 20, ...connectOptions });
      atEnd(() => made.close());
      databases.push(made);
      return made;
    },
    async upstream() {
      const upstream = await openUpstream();
      atEnd(() => upstream.close());
      return upstream;
    },
    async server(databaseUrl, upstreamUrl, env = {}) {
      const server = await startServer(
        {
          DATABASE_URL: databaseUrl,
          SCORING_URL: upstreamUrl,
          SCORING_TOKEN: randomUUID(),
          LOG_LEVEL: 'warn',
          ...NO_LIMITS,
          ...env,
        },
        { entry: 'real' },
      );
      atEnd(() => server.end('SIGKILL'));
      return server;
    },
    atEnd,
    progress: options.progress ?? (() => undefined),
    limit: (promisedMs) => promisedMs * (options.patience ?? 1),
  };
  try {
    const figures = await withinLimit(experiment.run(arena, amount), options.timeLimitMs);
    for (const { database } of databases) mustBeNone(await findFaults(database));
    return figures;
  } finally {
    for (const end of endings) await end().catch(() => undefined);
  }
}

async function withinLimit<Result>(work: Promise<Result>, timeLimitMs: number | undefined): Promise<Result> {
  if (timeLimitMs === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BrokenPromise(`not done after ${timeLimitMs} ms`)), timeLimitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
