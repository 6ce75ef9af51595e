import { cachedSingleFlight } from '../batching/concurrent-calls.ts';
import type { Connection } from '../database/connect.ts';
import type { Meter } from './meter.ts';
import type { MetricOf } from './metric-definitions.ts';

/** Minimum interval between two database reads, however often metrics are scraped. */
const FRESH_MS = 5_000;

type NameOfLastRun = Extract<MetricOf<'gauge'>, `trust_directory_last_run_${string}`>;

/**
 * Collects the metrics that are read from the database, at most once per `FRESH_MS`; omits them while the database is
 * unavailable. Without this cache, `stored-metrics.queries.test.ts` fails.
 */
export function collectStoredMetrics(
  meter: Meter,
  connection: Connection,
  now: () => number = () => performance.now(),
): void {
  const figures = cachedSingleFlight(FRESH_MS, () => readStoredMetrics(connection).catch(() => null), now);
  const collect = (name: Parameters<Meter['collect']>[0], of: (figures: StoredMetrics) => number) =>
    meter.collect(name, async () => {
      const read = await figures();
      return read === null ? [] : [{ labels: {}, value: of(read) } as never];
    });
  collect('trust_directory_ledger_open_holds', ({ openHolds }) => openHolds);
  collect('trust_directory_ledger_oldest_hold_seconds', ({ oldestHoldSeconds }) => oldestHoldSeconds);
  collect('trust_directory_ledger_overdue_holds', ({ overdueHolds }) => overdueHolds);
  collect('trust_directory_scores_due', ({ scoresDue }) => scoresDue);
  collect('trust_directory_imports_unfinished', ({ importsUnfinished }) => importsUnfinished);
  collect('trust_directory_import_step_timestamp_seconds', ({ importStepAt }) => importStepAt);
  collect('trust_directory_refresh_checked_timestamp_seconds', ({ refreshedAt }) => refreshedAt);
  collect('trust_directory_refresh_due', ({ refreshesDue }) => refreshesDue);
  meter.collect('trust_directory_refresh_last_hour', async () => {
    const { refreshOutcomes = {} } = (await figures()) ?? {};
    return Object.entries(refreshOutcomes).map(([outcome, value]) => ({ labels: { outcome }, value }));
  });
  const collectLastRun = (name: NameOfLastRun, of: (run: LastRun) => number) =>
    meter.collect(name, async () => {
      const { lastRuns = [] } = (await figures()) ?? {};
      return lastRuns.map((run) => ({ labels: { work: run.work }, value: of(run) }));
    });
  collectLastRun('trust_directory_last_run_ended_timestamp_seconds', ({ endedAt }) => endedAt);
  collectLastRun('trust_directory_last_run_finished', ({ finished }) => Number(finished));
  collectLastRun('trust_directory_last_run_listings', ({ listings }) => listings);
  collectLastRun('trust_directory_last_run_seconds', ({ seconds }) => seconds);
  meter.collect('trust_directory_database_read', async () => [
    { labels: {}, value: (await figures()) === null ? 0 : 1 },
  ]);
}

/** Amounts of pending work in the database, of all processes together. Counting stops at 10,000. */
interface StoredMetrics {
  openHolds: number;
  oldestHoldSeconds: number;
  overdueHolds: number;
  scoresDue: number;
  importsUnfinished: number;
  /** Unix time in seconds; 0 if there is none. */
  importStepAt: number;
  /** Unix time in seconds; 0 before the first. */
  refreshedAt: number;
  refreshesDue: number;
  refreshOutcomes: Readonly<Record<string, number>>;
  lastRuns: readonly LastRun[];
}

/** Outcome of a job's last run. */
interface LastRun {
  work: string;
  /** Unix time in seconds. */
  endedAt: number;
  finished: boolean;
  listings: number;
  seconds: number;
}

const MOST = 10_000;
const countOf = (rows: string) => `(SELECT count(*)::int FROM (SELECT 1 FROM ${rows} LIMIT ${MOST}) counted)`;
const secondsOf = (moment: string) => `coalesce(extract(epoch FROM ${moment}), 0)::float8`;

/**
 * Reads all figures in one snapshot. Each figure comes from one end of an index or from at most `MOST` rows, so that
 * the read stays fast.
 */
const FIGURES = `
SELECT ${countOf('open_run')} AS "openHolds", ${countOf('open_run WHERE lease_until <= ledger_now()')} AS "overdueHolds",
  coalesce((SELECT greatest(0, extract(epoch FROM ledger_now() - created_at)) FROM open_run ORDER BY lease_until LIMIT 1), 0)::float8
    AS "oldestHoldSeconds",
  ${countOf('score_due')} AS "scoresDue", ${countOf('import_progress')} AS "importsUnfinished",
  ${secondsOf('(SELECT max(updated_at) FROM import_progress)')} AS "importStepAt",
  ${secondsOf('(SELECT max(checked_at) FROM repository_refresh)')} AS "refreshedAt",
  ${countOf('repository_refresh WHERE next_check_at <= ledger_now()')} AS "refreshesDue",
  coalesce((SELECT jsonb_object_agg(outcome, many) FROM (SELECT outcome, count(*) AS many FROM (SELECT outcome FROM repository_refresh
    WHERE checked_at > ledger_now() - interval '1 hour' LIMIT ${MOST}) lately GROUP BY outcome) by_outcome), '{}') AS "refreshOutcomes",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('work', work, 'endedAt', extract(epoch FROM ended_at), 'finished', finished,
    'listings', listings, 'seconds', seconds)), '[]') FROM last_run) AS "lastRuns"`;

/** Reads all figures of the stored metrics. */
async function readStoredMetrics(connection: Connection): Promise<StoredMetrics> {
  const [figures] = await connection.query<StoredMetrics>(FIGURES);
  return figures as StoredMetrics;
}
