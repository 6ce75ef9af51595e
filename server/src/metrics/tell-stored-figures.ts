import type { Connection } from '../database/connect.ts';
import { shareResult } from '../share-result.ts';
import type { Meter } from './meter.ts';
import { type LastRun, readStoredFigures, type StoredFigures } from './stored-figures.repository.ts';
import type { MetricOf } from './table.ts';

/** However many ask, the database is asked no more often. */
const FRESH_MS = 5_000;

type NameOfLastRun = Extract<MetricOf<'gauge'>, `trust_directory_last_run_${string}`>;

/** Tells what the database knows of all processes; nothing of it while it cannot be asked. */
export function tellStoredFigures(
  meter: Meter,
  connection: Connection,
  now: () => number = () => performance.now(),
): void {
  const figures = shareResult(FRESH_MS, () => readStoredFigures(connection).catch(() => null), now);
  const tell = (name: Parameters<Meter['readFrom']>[0], of: (figures: StoredFigures) => number) =>
    meter.readFrom(name, async () => {
      const read = await figures();
      return read === null ? [] : [{ labels: {}, value: of(read) } as never];
    });
  tell('trust_directory_ledger_open_holds', ({ openHolds }) => openHolds);
  tell('trust_directory_ledger_oldest_hold_seconds', ({ oldestHoldSeconds }) => oldestHoldSeconds);
  tell('trust_directory_ledger_overdue_holds', ({ overdueHolds }) => overdueHolds);
  tell('trust_directory_scores_due', ({ scoresDue }) => scoresDue);
  tell('trust_directory_imports_unfinished', ({ importsUnfinished }) => importsUnfinished);
  tell('trust_directory_import_step_timestamp_seconds', ({ importStepAt }) => importStepAt);
  tell('trust_directory_refresh_checked_timestamp_seconds', ({ refreshedAt }) => refreshedAt);
  tell('trust_directory_refresh_due', ({ refreshesDue }) => refreshesDue);
  meter.readFrom('trust_directory_refresh_last_hour', async () => {
    const { refreshOutcomes = {} } = (await figures()) ?? {};
    return Object.entries(refreshOutcomes).map(([outcome, value]) => ({ labels: { outcome }, value }));
  });
  const tellLast = (name: NameOfLastRun, of: (run: LastRun) => number) =>
    meter.readFrom(name, async () => {
      const { lastRuns = [] } = (await figures()) ?? {};
      return lastRuns.map((run) => ({ labels: { work: run.work }, value: of(run) }));
    });
  tellLast('trust_directory_last_run_ended_timestamp_seconds', ({ endedAt }) => endedAt);
  tellLast('trust_directory_last_run_finished', ({ finished }) => Number(finished));
  tellLast('trust_directory_last_run_listings', ({ listings }) => listings);
  tellLast('trust_directory_last_run_seconds', ({ seconds }) => seconds);
  meter.readFrom('trust_directory_database_read', async () => [
    { labels: {}, value: (await figures()) === null ? 0 : 1 },
  ]);
}
