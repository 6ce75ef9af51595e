import type { Command } from 'commander';
import { formatNumber, ProgressReporter } from '../intake/import/progress-reporter.ts';
import type { RefreshSummary } from '../intake/refresh/refresh-run.ts';
import {
  INTERRUPTED,
  interruption,
  positiveInteger,
  print,
  type Tools,
  withDatabase,
} from './with-database.ts';

interface Options {
  limit?: number;
  wait?: boolean;
}

/** Adds `refresh`, which reads the metadata of due listings from their hosts. */
export function addRefreshCommand(program: Command): void {
  program
    .command('refresh')
    .description("read stars, commits, licence and names of due listings from their hosts' APIs")
    .option('--limit <number>', 'maximum listings to read', positiveInteger)
    .option('--wait', 'wait while hosts limit requests, instead of ending')
    .action((options: Options) => withDatabase((tools) => refresh(tools, options)));
}

async function refresh({ config, database }: Tools, options: Options): Promise<void> {
  const { createHosts } = await import('../hosts/create-hosts.ts');
  const { scheduleReadableHosts, refreshListings } = await import('../intake/refresh/refresh-run.ts');
  const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
  const { scoreQueuedSubjects } = await import('../scoring/batches/score-queued-subjects.ts');
  const parts = { database, backend: createScoringBackend(config), hosts: createHosts(config) };
  const signal = interruption();
  const progress = new ProgressReporter(process.stderr);
  try {
    const readable = await scheduleReadableHosts(database, parts.hosts);
    const summary = await refreshListings(parts, readable, {
      ...options,
      signal,
      onBegin: (due) => progress.begin('listings read from their hosts', due),
      onRefreshed: () => progress.advance(1),
    });
    progress.end();
    await scoreQueuedSubjects(database, parts.backend, signal, {
      begin: (subjects) => progress.begin('scores of changed facts', subjects),
      advance: (subjects) => progress.advance(subjects),
      end: () => progress.end(),
    });
    printSummary(summary);
  } finally {
    await parts.hosts.close();
  }
}

function printSummary({
  outcomes,
  interrupted,
  stillDue,
  retryAfterSeconds: restSeconds,
}: RefreshSummary): void {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${formatNumber(count)}`);
  print(counts.length === 0 ? 'No listing was read.' : `Listings: ${counts.join(', ')}.`);
  if (stillDue > 0) print(`${formatNumber(stillDue)} are still due: run the command again to continue.`);
  if (restSeconds !== null && stillDue > 0) {
    print(`A host limits requests for ${formatNumber(restSeconds)} s; use --wait to wait for it.`);
  }
  if (interrupted) process.exitCode = INTERRUPTED;
}
