import { type Command, Option } from 'commander';
import { formatNumber, ProgressReporter } from '../intake/import/progress-reporter.ts';
import type { RecomputeResult } from '../scoring/batches/recompute.ts';
import { SUBJECT_TYPES, type SubjectType } from '../scoring/subject-type.ts';
import { INTERRUPTED, interruption, print, type Tools, withDatabase } from './with-database.ts';

interface Options {
  all?: boolean;
  type?: SubjectType[];
}

/**
 * Adds `recompute`, which scores stale subjects again (with `--all`, every subject), free of charge. It may be
 * interrupted and started again.
 */
export function addRecomputeCommand(program: Command): void {
  program
    .command('recompute')
    .description(
      'score subjects whose score is missing, expired, noted as due, or from another method or backend',
    )
    .option('--all', 'score everything again, stale or not')
    .addOption(new Option('--type <types...>', 'only subjects of these types').choices(SUBJECT_TYPES))
    .action((options: Options) =>
      withDatabase(async (tools) => {
        const { withFreeAdvisoryLock } = await import('../platform/database/advisory-lock.ts');
        const run = () => runRecompute(tools, options);
        await withFreeAdvisoryLock(tools.databaseUrl, RECOMPUTE_LOCK, run, anotherRuns);
      }),
    );
}

/** Arbitrary id of the advisory lock that prevents two runs at once: they would score the same subjects. */
const RECOMPUTE_LOCK = 7_310_120;

function anotherRuns(): Error {
  return new Error(
    'Another recompute is running on this database, so this one did nothing. Start it again after that one has ended.',
  );
}

async function runRecompute({ config, database }: Tools, { all = false, type }: Options): Promise<void> {
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
    for (const line of linesOf(result, (performance.now() - startedAt) / 1000)) print(line);
    if (!result.finished) process.exitCode = INTERRUPTED;
    else if (result.failed > 0) process.exitCode = 1;
  } finally {
    await backend.close();
  }
}

function linesOf({ scored, incomplete, failed, finished }: RecomputeResult, seconds: number): string[] {
  const lines = [`${formatNumber(scored)} scores recorded in ${seconds.toFixed(1)} s.`];
  if (incomplete > 0)
    lines.push(`${formatNumber(incomplete)} subjects have too little evidence for a score.`);
  if (failed > 0) lines.push(`${formatNumber(failed)} subjects got no usable score; they remain stale.`);
  if (!finished)
    lines.push('Interrupted: the scores counted here are stored. Run the same command to continue.');
  return lines;
}
