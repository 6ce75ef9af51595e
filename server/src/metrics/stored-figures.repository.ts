import type { Connection } from '../database/connect.ts';

/** What the tables say of the work that waits, for all processes together. Counts end at 10,000. */
export interface StoredFigures {
  openHolds: number;
  oldestHoldSeconds: number;
  overdueHolds: number;
  scoresDue: number;
  importsUnfinished: number;
  /** Seconds since 1970; 0 without one. */
  importStepAt: number;
  /** Seconds since 1970; 0 before. */
  refreshedAt: number;
  refreshesDue: number;
  refreshOutcomes: Readonly<Record<string, number>>;
  lastRuns: readonly LastRun[];
}

/** What the last run of some work came to. */
export interface LastRun {
  work: string;
  /** Seconds since 1970. */
  endedAt: number;
  finished: boolean;
  listings: number;
  seconds: number;
}

const MOST = 10_000;
const countOf = (rows: string) => `(SELECT count(*)::int FROM (SELECT 1 FROM ${rows} LIMIT ${MOST}) counted)`;
const secondsOf = (moment: string) => `coalesce(extract(epoch FROM ${moment}), 0)::float8`;

/** One statement, one snapshot: each figure is read from the end of an index, or from no more rows than it may count. */
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

/** Reads all figures. */
export async function readStoredFigures(connection: Connection): Promise<StoredFigures> {
  const [figures] = await connection.query<StoredFigures>(FIGURES);
  return figures as StoredFigures;
}
