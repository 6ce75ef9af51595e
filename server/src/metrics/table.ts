/** What a metric is, beside its name. */
interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** One sentence for the operator. */
  readonly help: string;
  /** Each of few values: a route, a state, a code; never an id, an address or a text of a request. */
  readonly labels: readonly string[];
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/** Seconds, from an answer out of memory to the longest metered call. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10, 45];

/**
 * Every metric of this server, named once, beside those of Node and the process (`nodejs_…`, `process_…`). The alarm rules
 * and the dashboard in `ops/` may name no other, and a test finds each of these in a scrape.
 */
export const METRICS = {
  trust_directory_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Requests by route, method and class of status, and how long each took.',
    labels: ['method', 'route', 'status'],
    buckets: SECONDS,
  },
  trust_directory_http_refusals_total: {
    type: 'counter',
    help: 'Answers that refuse or fail, by their code.',
    labels: ['code'],
  },
  trust_directory_metered_calls_total: {
    type: 'counter',
    help: 'Metered calls by operation and outcome: settled, replayed, quoted, or the code of a refusal.',
    labels: ['operation', 'outcome'],
  },
  trust_directory_metered_calls_under_way: {
    type: 'gauge',
    help: 'Metered calls of this process by place: at work, or at the scoring backend.',
    labels: ['place'],
  },
  trust_directory_metered_calls_shed_total: {
    type: 'counter',
    help: 'Metered calls that were refused at the door, for want of room.',
    labels: [],
  },
  trust_directory_ledger_statement_duration_seconds: {
    type: 'histogram',
    help: 'Statements that are sent for several calls at once, and how long each took.',
    labels: ['statement'],
    buckets: SECONDS,
  },
  trust_directory_ledger_statement_calls: {
    type: 'histogram',
    help: 'How many calls travelled in one such statement.',
    labels: ['statement'],
    buckets: [1, 2, 4, 8, 16, 32, 64],
  },
  trust_directory_ledger_statement_failures_total: {
    type: 'counter',
    help: 'Such statements that failed.',
    labels: ['statement'],
  },
  trust_directory_ledger_waiting: {
    type: 'gauge',
    help: 'Calls that wait to travel in the next statement.',
    labels: [],
  },
  trust_directory_ledger_doubts_total: {
    type: 'counter',
    help: 'Ledger statements whose outcome had to be read back.',
    labels: [],
  },
  trust_directory_ledger_open_holds: {
    type: 'gauge',
    help: 'Holds of all processes that are neither charged nor given back, up to 10,000.',
    labels: [],
  },
  trust_directory_ledger_oldest_hold_seconds: {
    type: 'gauge',
    help: 'Age of the hold whose lease ends first; 0 without one.',
    labels: [],
  },
  trust_directory_ledger_overdue_holds: {
    type: 'gauge',
    help: 'Holds whose lease is over and that nobody has given back yet, up to 10,000.',
    labels: [],
  },
  trust_directory_ledger_reaped_total: {
    type: 'counter',
    help: 'Holds that this process gave back after their lease.',
    labels: [],
  },
  trust_directory_backend_request_duration_seconds: {
    type: 'histogram',
    help: 'Requests to the scoring backend by outcome (answered, busy, timeout, failed), and how long each took.',
    labels: ['outcome'],
    buckets: SECONDS,
  },
  trust_directory_backend_in_flight: {
    type: 'gauge',
    help: 'Requests that are at the scoring backend.',
    labels: [],
  },
  trust_directory_backend_unusable_total: {
    type: 'counter',
    help: 'Metered calls that got no usable score and were given back, by reason.',
    labels: ['reason'],
  },
  trust_directory_pool_sessions: {
    type: 'gauge',
    help: 'Database sessions of this process by pool and state.',
    labels: ['pool', 'state'],
  },
  trust_directory_pool_sessions_max: {
    type: 'gauge',
    help: 'Most database sessions that a pool may hold.',
    labels: ['pool'],
  },
  trust_directory_pool_waiting: {
    type: 'gauge',
    help: 'Statements and transactions that wait for a session.',
    labels: ['pool'],
  },
  trust_directory_reads_total: {
    type: 'counter',
    help: 'Public reads by where they went (replica, primary) and why; none where there are no replicas.',
    labels: ['source', 'reason'],
  },
  trust_directory_replica_ready: {
    type: 'gauge',
    help: '1 while a replica is read from, by its place in DATABASE_READ_URLS; 0 while it is away, behind, or the primary itself.',
    labels: ['replica'],
  },
  trust_directory_replica_lag_bytes: {
    type: 'gauge',
    help: 'Bytes of the log that a replica that can be asked has not replayed yet.',
    labels: ['replica'],
  },
  trust_directory_cache_lookups_total: {
    type: 'counter',
    help: 'Look-ups in a cache by result (hit, miss).',
    labels: ['cache', 'result'],
  },
  trust_directory_cache_entries: {
    type: 'gauge',
    help: 'Entries that a cache holds.',
    labels: ['cache'],
  },
  trust_directory_cache_bytes: {
    type: 'gauge',
    help: 'Bytes that a cache holds, as it counts them.',
    labels: ['cache'],
  },
  trust_directory_cache_trusted: {
    type: 'gauge',
    help: '1 while what a cache holds may be sent, 0 while a change may have gone unheard.',
    labels: ['cache'],
  },
  trust_directory_background_rounds_total: {
    type: 'counter',
    help: 'Rounds of background work by task and result (done, failed).',
    labels: ['task', 'result'],
  },
  trust_directory_background_work_total: {
    type: 'counter',
    help: 'What the rounds of background work did, by task.',
    labels: ['task'],
  },
  trust_directory_background_done_timestamp_seconds: {
    type: 'gauge',
    help: 'When a round of background work last ended well.',
    labels: ['task'],
  },
  trust_directory_scores_due: {
    type: 'gauge',
    help: 'Subjects whose score no longer follows from their facts, up to 10,000.',
    labels: [],
  },
  trust_directory_imports_unfinished: {
    type: 'gauge',
    help: 'Imports that are under way or were interrupted.',
    labels: [],
  },
  trust_directory_import_step_timestamp_seconds: {
    type: 'gauge',
    help: 'When an unfinished import last made a step; 0 without one.',
    labels: [],
  },
  trust_directory_directory_replaced_timestamp_seconds: {
    type: 'gauge',
    help: 'When this process last heard of a change that may touch every answer, which an import ends with; 0 before.',
    labels: [],
  },
  trust_directory_refresh_checked_timestamp_seconds: {
    type: 'gauge',
    help: "When a listing's metadata was last read from its host; 0 before.",
    labels: [],
  },
  trust_directory_refresh_last_hour: {
    type: 'gauge',
    help: 'Readings of metadata within the last hour by outcome, up to 10,000.',
    labels: ['outcome'],
  },
  trust_directory_refresh_due: {
    type: 'gauge',
    help: 'Listings whose metadata is due to be read, up to 10,000.',
    labels: [],
  },
  trust_directory_last_run_ended_timestamp_seconds: {
    type: 'gauge',
    help: 'When the last run of this work (import, refresh) ended, by whichever process; none before the first.',
    labels: ['work'],
  },
  trust_directory_last_run_finished: {
    type: 'gauge',
    help: '1 where that run did all that it was to do, 0 where it failed or was interrupted.',
    labels: ['work'],
  },
  trust_directory_last_run_listings: {
    type: 'gauge',
    help: 'Listings that it stored or found as they were, or read from their hosts.',
    labels: ['work'],
  },
  trust_directory_last_run_seconds: {
    type: 'gauge',
    help: 'How long it took.',
    labels: ['work'],
  },
  trust_directory_database_read: {
    type: 'gauge',
    help: '1 where the figures that are read from the database could be read, else 0.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
/** Metrics of one type. */
export type MetricOf<Type extends Metric['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
/** The labels of a metric, each with its value. */
export type LabelsOf<Name extends MetricName> = Readonly<
  Record<(typeof METRICS)[Name]['labels'][number], string>
>;
