import { type Command, Option } from 'commander';
import { formatNumber, ProgressReporter } from '../intake/import/progress-reporter.ts';
import type { RefreshSummary } from '../intake/refresh/refresh-source.ts';
import type { RecomputeResult } from '../scoring/batches/recompute.ts';
import { SUBJECT_TYPES, type SubjectType } from '../scoring/subject-type.ts';
import {
  INTERRUPTED,
  interruption,
  positiveInteger,
  print,
  type Tools,
  withDatabase,
} from './with-database.ts';

interface RefreshOptions {
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
    .action((options: RefreshOptions) => withDatabase((tools) => refresh(tools, options)));
}

async function refresh({ config, database }: Tools, options: RefreshOptions): Promise<void> {
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

/** Maximum number of problems that are printed for each source. */
const MAX_PROBLEMS = 20;

function printSummaries(summaries: ReadonlyMap<string, RefreshSummary>): void {
  const all = [...summaries.values()];
  for (const [name, { outcomes, problems }] of summaries) {
    const counts = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${formatNumber(count)}`);
    if (counts.length > 0) print(`${name[0]?.toUpperCase()}${name.slice(1)}: ${counts.join(', ')}.`);
    const commonest = Object.entries(problems).sort(([, one], [, other]) => other - one);
    for (const [problem, count] of commonest.slice(0, MAX_PROBLEMS))
      print(`  ${formatNumber(count)} × ${problem}`);
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

interface RecomputeOptions {
  all?: boolean;
  type?: SubjectType[];
}

/**
 * Adds `recompute`, which scores subjects whose score is missing or stale (with `--all`, every subject), free of
 * charge. It may be interrupted and started again.
 */
export function addRecomputeCommand(program: Command): void {
  program
    .command('recompute')
    .description(
      'score subjects whose score is missing, expired, noted as due, or from another method or backend',
    )
    .option('--all', 'score everything again, stale or not')
    .addOption(new Option('--type <types...>', 'only subjects of these types').choices(SUBJECT_TYPES))
    .action((options: RecomputeOptions) =>
      withDatabase(async (tools) => {
        const { withFreeAdvisoryLock } = await import('../platform/database/advisory-lock.ts');
        const run = () => runRecompute(tools, options);
        await withFreeAdvisoryLock(tools.databaseUrl, RECOMPUTE_LOCK, run, anotherRecomputes);
      }),
    );
}

/** Arbitrary id of the advisory lock that prevents two runs at once: they would score the same subjects. */
const RECOMPUTE_LOCK = 7_310_120;

function anotherRecomputes(): Error {
  return new Error(
    'Another recompute is running on this database, so this one did nothing. Start it again after that one has ended.',
  );
}

async function runRecompute(
  { config, database }: Tools,
  { all = false, type }: RecomputeOptions,
): Promise<void> {
  const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
  const { recompute } = await import('../scoring/batches/recompute.ts');
  const backend = createScoringBackend(config);
  const startedAt = performance.now();
  try {
    const result = await recompute(database, backend, {
      all,
      types: type ?? SUBJECT_TYPES,
      signal: interruption(),
      progress: new ProgressReporter(process.stderr),
    });
    for (const line of recomputeLines(result, (performance.now() - startedAt) / 1000)) print(line);
    if (!result.finished) process.exitCode = INTERRUPTED;
    else if (result.failed > 0) process.exitCode = 1;
  } finally {
    await backend.close();
  }
}

function recomputeLines(
  { scored, incomplete, failed, finished }: RecomputeResult,
  seconds: number,
): string[] {
  const lines = [`${formatNumber(scored)} scores recorded in ${seconds.toFixed(1)} s.`];
  if (incomplete > 0)
    lines.push(`${formatNumber(incomplete)} subjects have too little evidence for a score.`);
  if (failed > 0) lines.push(`${formatNumber(failed)} subjects got no usable score; they remain stale.`);
  if (!finished)
    lines.push('Interrupted: the scores counted here are stored. Run the same command to continue.');
  return lines;
}
