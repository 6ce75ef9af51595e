import type { Command } from 'commander';
import { grouped, ProgressReporter } from '../import/progress-reporter.ts';
import type { RefreshSummary } from '../refresh/refresh-run.ts';
import { INTERRUPTED, interruption } from './interruption.ts';
import { positiveInteger } from './read-option.ts';
import { print, type Tools, withDatabase } from './with-database.ts';

interface Options {
  limit?: number;
  wait?: boolean;
}

/** `refresh`: reads the metadata of due listings from their hosts. */
export function addRefreshCommand(program: Command): void {
  program
    .command('refresh')
    .description("read stars, commits, licence and names of due listings from their hosts' interfaces")
    .option('--limit <number>', 'listings to read at most', positiveInteger)
    .option('--wait', 'wait for hosts that ask for a rest, in place of ending')
    .action((options: Options) => withDatabase((tools) => refresh(tools, options)));
}

async function refresh({ config, database }: Tools, options: Options): Promise<void> {
  const { createHosts } = await import('../hosts/hosts.ts');
  const { enrolReadableHosts, refreshListings } = await import('../refresh/refresh-run.ts');
  const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
  const { scoreDueSubjects } = await import('../scoring/score-due.ts');
  const parts = { database, backend: createScoringBackend(config), hosts: createHosts(config) };
  const signal = interruption();
  const progress = new ProgressReporter(process.stderr);
  try {
    const readable = await enrolReadableHosts(database, parts.hosts);
    const summary = await refreshListings(parts, readable, {
      ...options,
      signal,
      onBegin: (due) => progress.begin('listings read from their hosts', due),
      onRefreshed: () => progress.advance(1),
    });
    progress.end();
    await scoreDueSubjects(database, parts.backend, signal, {
      begin: (subjects) => progress.begin('scores of changed facts', subjects),
      advance: (subjects) => progress.advance(subjects),
      end: () => progress.end(),
    });
    tell(summary);
  } finally {
    await parts.hosts.close();
  }
}

function tell({ outcomes, interrupted, stillDue, restSeconds }: RefreshSummary): void {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${grouped(count)}`);
  print(counts.length === 0 ? 'No listing was read.' : `Listings: ${counts.join(', ')}.`);
  if (stillDue > 0) print(`${grouped(stillDue)} are still due: run the command again to go on.`);
  if (restSeconds !== null && stillDue > 0) {
    print(`A host asks to be left alone for ${grouped(restSeconds)} s; --wait would wait for it.`);
  }
  if (interrupted) process.exitCode = INTERRUPTED;
}
