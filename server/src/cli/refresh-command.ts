import type { Command } from 'commander';
import { formatNumber, ProgressReporter } from '../intake/import/progress-reporter.ts';
import type { RefreshSummary } from '../intake/refresh/refresh-source.ts';
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

/** Adds `refresh`, which reads due facts of listings from their sources. */
export function addRefreshCommand(program: Command): void {
  program
    .command('refresh')
    .description('read due facts of listings from repository hosts and other sources')
    .option('--limit <number>', 'maximum number of items to read from each source', positiveInteger)
    .option('--wait', 'wait while hosts limit requests, instead of ending')
    .action((options: Options) => withDatabase((tools) => refresh(tools, options)));
}

async function refresh({ config, database }: Tools, options: Options): Promise<void> {
  const { createHosts } = await import('../hosts/create-hosts.ts');
  const { refreshRecorded, refreshSources } = await import('../intake/refresh/refresh-run.ts');
  const { HostBackoff } = await import('../intake/refresh/refresh-source.ts');
  const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
  const { scoreQueuedSubjects } = await import('../scoring/batches/score-queued-subjects.ts');
  const backend = createScoringBackend(config);
  const parts = { config, database, backend, hosts: createHosts(config) };
  const signal = interruption();
  const progress = new ProgressReporter(process.stderr);
  try {
    const backoff = new HostBackoff();
    const summaries = new Map<string, RefreshSummary>();
    for (const source of refreshSources(parts)) {
      const hosts = await source.prepare();
      const summary = await refreshRecorded(database, source, hosts, {
        ...options,
        signal,
        backoff,
        onBegin: (due) => progress.begin(`${source.name} read`, due),
        onRefreshed: () => progress.advance(1),
      });
      progress.end();
      summaries.set(source.name, summary);
      if (signal.aborted) break;
    }
    await scoreQueuedSubjects(database, parts.backend, signal, {
      begin: (subjects) => progress.begin('scores of changed facts', subjects),
      advance: (subjects) => progress.advance(subjects),
      end: () => progress.end(),
    });
    printSummaries(summaries);
  } finally {
    await parts.hosts.close();
  }
}

function printSummaries(summaries: ReadonlyMap<string, RefreshSummary>): void {
  const all = [...summaries.values()];
  for (const [name, { outcomes }] of summaries) {
    const counts = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${formatNumber(count)}`);
    if (counts.length > 0) print(`${name[0]?.toUpperCase()}${name.slice(1)}: ${counts.join(', ')}.`);
  }
  if (all.every(({ outcomes }) => Object.keys(outcomes).length === 0)) print('Nothing was read.');
  const stillDue = all.reduce((sum, summary) => sum + summary.stillDue, 0);
  if (stillDue > 0) print(`${formatNumber(stillDue)} are still due: run the command again to continue.`);
  const waits = all.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  if (waits.length > 0 && stillDue > 0) {
    print(`A host limits requests for ${formatNumber(Math.min(...waits))} s; use --wait to wait for it.`);
  }
  if (all.some(({ interrupted }) => interrupted)) process.exitCode = INTERRUPTED;
}
