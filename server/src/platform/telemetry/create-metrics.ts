import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { statementLimiter } from '../batching/concurrency-control.ts';
import type { Database, DatabaseObserver } from '../database/connect.ts';
import type { ResponseCache } from '../http/response-cache/response-cache.ts';
import type { ReplicatedReads } from '../read-replicas/replicated-reads.ts';
import { createMeter, type Meter, type MetricsAddress, type MetricsServer, serveMetrics } from './meter.ts';
import { collectStoredMetrics } from './stored-metrics.queries.ts';

/** Route label of all requests that match no route. Their path is no label, because it can be any text. */
const NO_ROUTE = 'none';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts every answer by its route's template, and metered calls by their outcome. */
function instrumentRequests(app: FastifyInstance, meter: Meter, operations: readonly string[]): void {
  const known: ReadonlySet<string> = new Set(operations);
  app.addHook('onResponse', (request, reply, done) => {
    const { url = NO_ROUTE, config } = request.routeOptions;
    const method = METHODS.has(request.method) ? request.method : 'other';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    const seconds = reply.elapsedTime / 1_000;
    meter.observe('trust_directory_http_request_duration_seconds', { method, route: url, status }, seconds);
    if (request.errorCode) meter.add('trust_directory_http_refusals_total', { code: request.errorCode });
    if (config.metered) {
      const labels = { operation: operationOf(request, known), outcome: outcomeOf(request, reply) };
      meter.add('trust_directory_metered_calls_total', labels);
    }
    done();
  });
}

/**
 * Returns the operation of a metered call, or `unknown` for a text that is not in `known`, because the body of a
 * refused call may contain anything.
 */
function operationOf({ body }: FastifyRequest, known: ReadonlySet<string>): string {
  const operation = String((body as { operation?: unknown } | undefined)?.operation);
  return known.has(operation) ? operation : 'unknown';
}

function outcomeOf(request: FastifyRequest, reply: FastifyReply): string {
  if (request.errorCode) return request.errorCode;
  if (reply.hasHeader('Idempotent-Replayed')) return 'replayed';
  return request.ledgerId ? 'settled' : 'quoted';
}

/** Callbacks for failures of a metered call. */
interface Troubles {
  onUnknownOutcome(ledgerId: string, error: unknown): void;
  onScoringFailure(ledgerId: string, failure: Error & { code: string }): void;
}

/** Sources that are read at each scrape. */
interface Sources {
  readonly ledger: Database;
  readonly reads: Database;
  /** Replicas to read from; null if there are none. */
  readonly replicas: ReplicatedReads | null;
  /** Response cache; null if it is switched off. */
  readonly memory: ResponseCache | null;
  readonly callLimiter: { readonly counts: CountedCalls };
}

/** Metrics of one server, with one member for each part of the server that reports something. */
export interface Metrics {
  /** Observer of the ledger's pool. */
  readonly watch: DatabaseObserver;
  readonly meter: Meter;
  /**
   * Counts answers by route, and metered calls by operation. Calls of an operation that is not in the list count as
   * `unknown`.
   */
  requests(app: FastifyInstance, operations: readonly string[]): void;
  jobs(task: string, work: () => Promise<number>): () => Promise<number>;
  /** Wraps the callbacks so that each call of them is also counted. */
  failures<Parts extends Troubles>(parts: Parts): Parts;
  readFrom(sources: Sources): void;
  scrape(): Promise<{ type: string; text: string }>;
  /** Serves scrapes until the returned server is closed. */
  listen(address: MetricsAddress): Promise<MetricsServer>;
}

/** Creates empty metrics. Loads the metrics library, so call it only if metrics are enabled. */
export function createMetrics(): Metrics {
  const meter = createMeter();
  return {
    watch: instrumentDatabase(meter),
    meter,
    requests: (app, operations) => instrumentRequests(app, meter, operations),
    jobs: (task, work) => instrumentJobs(task, work, meter),
    failures: (parts) => ({
      ...parts,
      onUnknownOutcome(ledgerId, error) {
        meter.add('trust_directory_ledger_doubts_total', {});
        parts.onUnknownOutcome(ledgerId, error);
      },
      onScoringFailure(ledgerId, failure) {
        meter.add('trust_directory_backend_unusable_total', { reason: failure.code });
        parts.onScoringFailure(ledgerId, failure);
      },
    }),
    readFrom({ ledger, reads, replicas, memory, callLimiter }) {
      const pools = replicas?.replicas.map((replica, place) => [`replica_${place + 1}`, replica]) ?? [];
      collectPoolMetrics(meter, { ledger, reads, ...Object.fromEntries(pools) });
      collectReplicaMetrics(meter, replicas);
      collectCallMetrics(meter, callLimiter.counts);
      collectCacheMetrics(meter, memory);
      collectStoredMetrics(meter, reads);
    },
    scrape: meter.scrape,
    listen: (address) => serveMetrics(address, meter.scrape),
  };
}

/**
 * Numbers of metered calls of this process: in flight but not waiting for a score, waiting for a score, and rejected
 * so far.
 */
type CountedCalls = Readonly<Record<'atWork' | 'scoring' | 'refused', number>>;

/** Collects the number of metered calls in flight, and of those that the concurrency limit rejected. */
function collectCallMetrics(meter: Meter, counts: CountedCalls): void {
  meter.collect('trust_directory_metered_calls_under_way', () => [
    { labels: { place: 'at_work' }, value: counts.atWork },
    { labels: { place: 'scoring' }, value: counts.scoring },
  ]);
  meter.collect('trust_directory_metered_calls_shed_total', () => [{ labels: {}, value: counts.refused }]);
}

/** Counts batched statements and released holds. */
function instrumentDatabase(meter: Meter): DatabaseObserver {
  return {
    onSend(statement, askers) {
      const sentAt = performance.now();
      meter.observe('trust_directory_ledger_statement_calls', { statement }, askers.length);
      return (hasFailed) => {
        const seconds = (performance.now() - sentAt) / 1_000;
        meter.observe('trust_directory_ledger_statement_duration_seconds', { statement }, seconds);
        if (hasFailed) meter.add('trust_directory_ledger_statement_failures_total', { statement });
      };
    },
    onHoldsReleased: (holds) => meter.add('trust_directory_ledger_reaped_total', {}, holds),
  };
}

/**
 * Wraps a background job so that its runs are counted by task. Until its first success, the start time counts as its
 * last success. Otherwise the metric would have no value, and the alert for an overdue job would never fire for a job
 * that never succeeds.
 */
function instrumentJobs(task: string, work: () => Promise<number>, meter: Meter): () => Promise<number> {
  const noteDone = () =>
    meter.set('trust_directory_background_done_timestamp_seconds', { task }, Date.now() / 1_000);
  noteDone();
  return async () => {
    try {
      const done = await work();
      meter.add('trust_directory_background_rounds_total', { task, result: 'done' });
      meter.add('trust_directory_background_work_total', { task }, Math.max(0, done));
      noteDone();
      return done;
    } catch (error) {
      meter.add('trust_directory_background_rounds_total', { task, result: 'failed' });
      throw error;
    }
  };
}

/** Collects metrics of the response cache, including the time of the last change that invalidated all of it. */
function collectCacheMetrics(meter: Meter, memory: ResponseCache | null): void {
  if (memory === null) return;
  const cache = 'answers';
  meter.collect('trust_directory_cache_lookups_total', () => {
    const { hits, misses } = memory.counts;
    return [
      { labels: { cache, result: 'hit' }, value: hits },
      { labels: { cache, result: 'miss' }, value: misses },
    ];
  });
  meter.collect('trust_directory_cache_entries', () => [{ labels: { cache }, value: memory.counts.entries }]);
  meter.collect('trust_directory_cache_bytes', () => [{ labels: { cache }, value: memory.bytes }]);
  meter.collect('trust_directory_cache_trusted', () => [
    { labels: { cache }, value: memory.isFresh ? 1 : 0 },
  ]);
  meter.collect('trust_directory_directory_replaced_timestamp_seconds', () => {
    const { replacedAt } = memory.counts;
    const value = replacedAt === null ? 0 : (performance.timeOrigin + replacedAt) / 1_000;
    return [{ labels: {}, value }];
  });
}

type Pool = Pick<Database, 'poolState'>;

/** Collects metrics of the sessions of each pool, and of the items that wait for a batch of the ledger. */
function collectPoolMetrics(
  meter: Meter,
  pools: { readonly ledger: Database; readonly reads: Pool; readonly [replica: `replica_${number}`]: Pool },
): void {
  const each = Object.entries<Pool>(pools);
  const states = () => each.map(([pool, { poolState }]) => ({ pool, ...poolState() }));
  meter.collect('trust_directory_pool_sessions', () =>
    states().flatMap(({ pool, inUse, idle }) => [
      { labels: { pool, state: 'in_use' }, value: inUse },
      { labels: { pool, state: 'idle' }, value: idle },
    ]),
  );
  meter.collect('trust_directory_pool_sessions_max', () =>
    states().map(({ pool, most }) => ({ labels: { pool }, value: most })),
  );
  meter.collect('trust_directory_pool_waiting', () =>
    states().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  );
  meter.collect('trust_directory_ledger_waiting', () => [
    { labels: {}, value: statementLimiter(pools.ledger).waitingCount() },
  ]);
}

/**
 * Collects metrics of public reads by server, and of the replicas. Replicas are labelled by their position in
 * `DATABASE_READ_URLS`, because addresses must not be labels.
 */
function collectReplicaMetrics(meter: Meter, reads: ReplicatedReads | null): void {
  if (reads === null) return;
  const placed = reads.replicas.map((replica, place) => ({
    replica,
    labels: { replica: String(place + 1) },
  }));
  meter.collect('trust_directory_reads_total', () =>
    [...reads.counts].map(([choice, value]) => {
      const [source = '', reason = ''] = choice.split(' ');
      return { labels: { source, reason }, value };
    }),
  );
  meter.collect('trust_directory_replica_ready', () =>
    placed.map(({ replica, labels }) => ({ labels, value: replica.status() === 'ready' ? 1 : 0 })),
  );
  meter.collect('trust_directory_replica_lag_bytes', async () => {
    const position = await reads.primaryPosition().catch(() => null);
    if (position === null) return [];
    return placed
      .filter(({ replica }) => replica.status() !== 'away')
      .map(({ replica, labels }) => ({ labels, value: Math.max(0, position - replica.position()) }));
  });
}
