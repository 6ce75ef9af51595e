import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/connect.ts';
import type { DatabaseWatch } from '../database/database-watch.ts';
import type { ReplicatedReads } from '../database/replicas/replicated-reads.ts';
import type { AnswerMemory } from '../http/kept-answers/answer-memory.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { measureBackend } from './measure-backend.ts';
import { measureRequests } from './measure-requests.ts';
import { measureRounds } from './measure-rounds.ts';
import { createMeter } from './meter.ts';
import { type MetricsAddress, type MetricsServer, serveMetrics } from './serve-metrics.ts';
import { tellCaches } from './tell-caches.ts';
import { type CountedCalls, tellCalls } from './tell-calls.ts';
import { tellPools } from './tell-pools.ts';
import { tellReplicas } from './tell-replicas.ts';
import { tellStoredFigures } from './tell-stored-figures.ts';
import { watchDatabase } from './watch-database.ts';

/** What a metered call tells of its troubles. */
interface Troubles {
  onDoubt(ledgerId: string, error: unknown): void;
  onScoringFailure(ledgerId: string, failure: Error & { code: string }): void;
}

/** What is read when somebody asks. */
interface Sources {
  readonly ledger: Database;
  readonly reads: Database;
  /** Null where there are none. */
  readonly replicas: ReplicatedReads | null;
  readonly memory: AnswerMemory | null;
  readonly roomForCalls: { readonly counts: CountedCalls };
}

/** The ears of one server's metrics, each for the part that knows something. */
export interface Metrics {
  /** For the pool of the ledger. */
  readonly watch: DatabaseWatch;
  backend(backend: ScoringBackend): ScoringBackend;
  requests(app: FastifyInstance): void;
  rounds(task: string, work: () => Promise<number>): () => Promise<number>;
  /** The same troubles, counted on their way to the log. */
  troubles<Parts extends Troubles>(parts: Parts): Parts;
  readFrom(sources: Sources): void;
  scrape(): Promise<{ type: string; text: string }>;
  /** Answers scrapes there, until it is closed. */
  listen(address: MetricsAddress): Promise<MetricsServer>;
}

/** Metrics that nothing is told yet. Loads what counts, so make them only where they were asked for. */
export function createMetrics(): Metrics {
  const meter = createMeter();
  return {
    watch: watchDatabase(meter),
    backend: (backend) => measureBackend(backend, meter),
    requests: (app) => measureRequests(app, meter),
    rounds: (task, work) => measureRounds(task, work, meter),
    troubles: (parts) => ({
      ...parts,
      onDoubt(ledgerId, error) {
        meter.add('trust_directory_ledger_doubts_total', {});
        parts.onDoubt(ledgerId, error);
      },
      onScoringFailure(ledgerId, failure) {
        meter.add('trust_directory_backend_unusable_total', { reason: failure.code });
        parts.onScoringFailure(ledgerId, failure);
      },
    }),
    readFrom({ ledger, reads, replicas, memory, roomForCalls }) {
      const pools = replicas?.replicas.map((replica, place) => [`replica_${place + 1}`, replica]) ?? [];
      tellPools(meter, { ledger, reads, ...Object.fromEntries(pools) });
      tellReplicas(meter, replicas);
      tellCalls(meter, roomForCalls.counts);
      tellCaches(meter, memory);
      tellStoredFigures(meter, reads);
    },
    scrape: meter.scrape,
    listen: (address) => serveMetrics(address, meter.scrape),
  };
}
