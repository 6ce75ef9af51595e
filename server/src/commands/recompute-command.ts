import { type Command, Option } from 'commander';
import { grouped, ProgressReporter } from '../import/progress-reporter.ts';
import type { RecomputeResult } from '../scoring/recompute.ts';
import { ALL_TYPES } from '../scoring/recompute-stages.ts';
import type { SubjectType } from '../subjects/subject-type.ts';
import { INTERRUPTED, interruption } from './interruption.ts';
import { print, type Tools, withDatabase } from './with-database.ts';

interface Options {
  all?: boolean;
  type?: SubjectType[];
}

/** `recompute`: scores again what is stale, at no one's cost; may be interrupted and started again. */
export function addRecomputeCommand(program: Command): void {
  program
    .command('recompute')
    .description('score what has no score, an expired or a noted one, or one of another method or backend')
    .option('--all', 'score everything again, stale or not')
    .addOption(new Option('--type <types...>', 'only subjects of these types').choices(ALL_TYPES))
    .action((options: Options) =>
      withDatabase(async (tools) => {
        const { withFreeAdvisoryLock } = await import('../database/advisory-lock.ts');
        const run = () => runRecompute(tools, options);
        await withFreeAdvisoryLock(tools.databaseUrl, RECOMPUTE_LOCK, run, anotherRuns);
      }),
    );
}

/** Any fixed number: two at once would score the same subjects. */
const RECOMPUTE_LOCK = 7_310_120;

function anotherRuns(): Error {
  return new Error(
    'Another recompute is running on this database, so this one did nothing. Start it again when that one has ended.',
  );
}

async function runRecompute({ config, database }: Tools, { all = false, type }: Options): Promise<void> {
  const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
  const { recompute } = await import('../scoring/recompute.ts');
  const backend = createScoringBackend(config);
  const startedAt = performance.now();
  try {
    const result = await recompute(database, backend, {
      all,
      types: type ?? ALL_TYPES,
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
  const lines = [`${grouped(scored)} scores recorded in ${seconds.toFixed(1)} s.`];
  if (incomplete > 0) lines.push(`${grouped(incomplete)} subjects have too little evidence for a score.`);
  if (failed > 0) lines.push(`${grouped(failed)} subjects got no usable score; they are stale still.`);
  if (!finished)
    lines.push('Interrupted: what is counted here is stored. The same command goes on from here.');
  return lines;
}
