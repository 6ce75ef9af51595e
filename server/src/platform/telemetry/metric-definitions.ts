/** Definition of a metric. */
interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Description for operators, one sentence. */
  readonly help: string;
  /**
   * Label names. Each must have few values, such as a route, state or code. Ids, addresses and text of a request are
   * not allowed.
   */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

/** Bounds of durations in seconds, from that of a cached response to that of the longest metered call. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10, 45];

/**
 * All metrics of this server, in addition to those of Node and the process (`nodejs_…`, `process_…`). Alert rules and
 * the dashboard in `ops/` may use no other metrics of this server. A test finds each of these metrics in a scrape.
 */
export const METRICS = {
  trust_directory_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Duration of requests by route, method and status class.',
    labels: ['method', 'route', 'status'],
    buckets: SECONDS,
  },
  trust_directory_http_refusals_total: {
    type: 'counter',
    help: 'Responses with an error, by error code.',
    labels: ['code'],
  },
  trust_directory_metered_calls_total: {
    type: 'counter',
    help: 'Metered calls by operation and outcome: settled, replayed, quoted, or an error code.',
    labels: ['operation', 'outcome'],
  },
  trust_directory_metered_calls_under_way: {
    type: 'gauge',
    help: 'Metered calls of this process in flight, by place: at_work, or scoring (waiting for the scoring backend).',
    labels: ['place'],
  },
  trust_directory_metered_calls_shed_total: {
    type: 'counter',
    help: 'Metered calls rejected by the concurrency limit.',
    labels: [],
  },
  trust_directory_ledger_statement_duration_seconds: {
    type: 'histogram',
    help: 'Duration of batched ledger statements.',
    labels: ['statement'],
    buckets: SECONDS,
  },
  trust_directory_ledger_statement_calls: {
    type: 'histogram',
    help: 'Calls per batched ledger statement.',
    labels: ['statement'],
    buckets: [1, 2, 4, 8, 16, 32, 64],
  },
  trust_directory_ledger_statement_failures_total: {
    type: 'counter',
    help: 'Batched ledger statements that failed.',
    labels: ['statement'],
  },
  trust_directory_ledger_waiting: {
    type: 'gauge',
    help: 'Calls waiting for the next batch of the ledger.',
    labels: [],
  },
  trust_directory_ledger_doubts_total: {
    type: 'counter',
    help: 'Ledger statements with an unknown outcome, which was then read from the database.',
    labels: [],
  },
  trust_directory_ledger_open_holds: {
    type: 'gauge',
    help: 'Holds of all processes that are neither charged nor released, up to 10,000.',
    labels: [],
  },
  trust_directory_ledger_oldest_hold_seconds: {
    type: 'gauge',
    help: 'Age of the hold whose lease ends first; 0 if there is none.',
    labels: [],
  },
  trust_directory_ledger_overdue_holds: {
    type: 'gauge',
    help: 'Expired holds that are not released yet, up to 10,000.',
    labels: [],
  },
  trust_directory_ledger_reaped_total: {
    type: 'counter',
    help: 'Expired holds that this process released.',
    labels: [],
  },
  trust_directory_backend_request_duration_seconds: {
    type: 'histogram',
    help: 'Duration of requests to the scoring backend by outcome (answered, busy, timeout, failed).',
    labels: ['outcome'],
    buckets: SECONDS,
  },
  trust_directory_backend_in_flight: {
    type: 'gauge',
    help: 'Requests to the scoring backend in flight.',
    labels: [],
  },
  trust_directory_backend_unusable_total: {
    type: 'counter',
    help: 'Metered calls without a usable score, whose credits were released, by reason.',
    labels: ['reason'],
  },
  trust_directory_pool_sessions: {
    type: 'gauge',
    help: 'Database sessions of this process by pool and state.',
    labels: ['pool', 'state'],
  },
  trust_directory_pool_sessions_max: {
    type: 'gauge',
    help: 'Maximum database sessions of a pool.',
    labels: ['pool'],
  },
  trust_directory_pool_waiting: {
    type: 'gauge',
    help: 'Statements and transactions that wait for a session.',
    labels: ['pool'],
  },
  trust_directory_reads_total: {
    type: 'counter',
    help: 'Public reads by target (replica, primary) and reason; absent without replicas.',
    labels: ['source', 'reason'],
  },
  trust_directory_replica_ready: {
    type: 'gauge',
    help: '1 while a replica is in use, by its position in DATABASE_READ_URLS; 0 while it is unavailable, lags, or has become the primary.',
    labels: ['replica'],
  },
  trust_directory_replica_lag_bytes: {
    type: 'gauge',
    help: 'Bytes of the log that a reachable replica has not replayed yet.',
    labels: ['replica'],
  },
  trust_directory_cache_lookups_total: {
    type: 'counter',
    help: 'Cache lookups by result (hit, miss).',
    labels: ['cache', 'result'],
  },
  trust_directory_cache_entries: {
    type: 'gauge',
    help: 'Entries in a cache.',
    labels: ['cache'],
  },
  trust_directory_cache_bytes: {
    type: 'gauge',
    help: 'Estimated bytes in a cache.',
    labels: ['cache'],
  },
  trust_directory_cache_trusted: {
    type: 'gauge',
    help: '1 while cached entries may be served, 0 while invalidations may have been missed.',
    labels: ['cache'],
  },
  trust_directory_background_rounds_total: {
    type: 'counter',
    help: 'Runs of background jobs by task and result (done, failed).',
    labels: ['task', 'result'],
  },
  trust_directory_background_work_total: {
    type: 'counter',
    help: 'Items processed by background jobs, by task.',
    labels: ['task'],
  },
  trust_directory_background_done_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last successful run of a background job, or of the start before the first one.',
    labels: ['task'],
  },
  trust_directory_scores_due: {
    type: 'gauge',
    help: 'Subjects whose score must be recomputed because their facts have changed, up to 10,000.',
    labels: [],
  },
  trust_directory_imports_unfinished: {
    type: 'gauge',
    help: 'Imports that are running or were interrupted.',
    labels: [],
  },
  trust_directory_import_step_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last progress of an unfinished import; 0 if there is none.',
    labels: [],
  },
  trust_directory_directory_replaced_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last change that invalidated all cached responses of this process, such as the end of an import; 0 before the first.',
    labels: [],
  },
  trust_directory_refresh_checked_timestamp_seconds: {
    type: 'gauge',
    help: "Time at which a listing's metadata was last read from its host; 0 before the first.",
    labels: [],
  },
  trust_directory_refresh_last_hour: {
    type: 'gauge',
    help: 'Reads of metadata within the last hour by outcome, up to 10,000.',
    labels: ['outcome'],
  },
  trust_directory_refresh_due: {
    type: 'gauge',
    help: 'Listings whose metadata is due to be read, up to 10,000.',
    labels: [],
  },
  trust_directory_last_run_ended_timestamp_seconds: {
    type: 'gauge',
    help: 'Time at which the last run of a job (import, refresh) ended, in any process; absent before the first.',
    labels: ['work'],
  },
  trust_directory_last_run_finished: {
    type: 'gauge',
    help: '1 if the last run of a job completed, 0 if it failed or was interrupted.',
    labels: ['work'],
  },
  trust_directory_last_run_listings: {
    type: 'gauge',
    help: 'Listings that the last run of a job stored, found unchanged, or read from their hosts.',
    labels: ['work'],
  },
  trust_directory_last_run_seconds: {
    type: 'gauge',
    help: 'Duration of the last run of a job.',
    labels: ['work'],
  },
  trust_directory_database_read: {
    type: 'gauge',
    help: '1 if the metrics stored in the database could be read, otherwise 0.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
/** Names of the metrics of one type. */
export type MetricOf<Type extends Metric['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
/** Labels of a metric with their values. */
export type LabelsOf<Name extends MetricName> = Readonly<
  Record<(typeof METRICS)[Name]['labels'][number], string>
>;
