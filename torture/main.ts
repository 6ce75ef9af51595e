import { cloneDatabase } from '../server/testing/clone-database.ts';
import { startSharedServer } from '../server/testing/global-setup.ts';
import { type MakeDatabase, runExperiment } from './arena.ts';
import type { Experiment } from './experiment.ts';
import { EXPERIMENTS } from './experiments.ts';
import { parseOptions, type TortureOptions, USAGE } from './options.ts';
import { type Result, replayOf, writeReport } from './report.ts';

const PROGRESS_MS = 10_000;

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints the progress of an experiment at intervals. */
function progressOf({ id, unit }: Experiment, amount: number): (done: number) => void {
  let toldAt = Date.now();
  return (done) => {
    if (Date.now() - toldAt < PROGRESS_MS) return;
    toldAt = Date.now();
    say(`${id}: ${done} (of ${amount} ${unit})`);
  };
}

async function runOne(
  experiment: Experiment,
  options: TortureOptions,
  seed: number,
  makeDatabase: MakeDatabase,
) {
  const amount = Math.max(1, Math.ceil(experiment.amount.long * options.scale));
  const { id, promise, unit } = experiment;
  const skipped = experiment.missing?.() ?? null;
  const startedAt = performance.now();
  const result = { id, promise, unit, amount, seed, figures: {}, broken: null, skipped };
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  if (skipped !== null) return { ...result, seconds: 0 };
  say(`${id}: ${promise} (${amount} ${unit}, seed ${seed})`);
  try {
    const figures = await runExperiment(experiment, amount, {
      seed,
      makeDatabase,
      patience: options.patience,
      progress: progressOf(experiment, amount),
    });
    say(`${id} holds: ${JSON.stringify(figures)}`);
    return { ...result, figures, seconds: seconds() };
  } catch (error) {
    const broken = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { ...result, broken, seconds: seconds() };
  }
}

/** Runs the requested experiments, repeatedly if `minutes` is set, until one fails. Returns whether none failed. */
async function run(options: TortureOptions): Promise<boolean> {
  const startedAt = new Date();
  const end = options.minutes === null ? 0 : Date.now() + options.minutes * 60_000;
  const server = await startSharedServer();
  const makeDatabase: MakeDatabase = (connectOptions) =>
    cloneDatabase(server.url, server.template, connectOptions);
  const results: Result[] = [];
  try {
    for (let seed = options.seed; ; seed++) {
      for (const experiment of options.experiments) {
        const result = await runOne(experiment, options, seed, makeDatabase);
        results.push(result);
        await writeReport(options.out, results, startedAt);
        if (result.broken === null) continue;
        say(
          `${result.id} is BROKEN:\n${result.broken}\nAgain: ${replayOf(result.id, seed)} --scale ${options.scale}`,
        );
        return false;
      }
      if (Date.now() >= end) return true;
    }
  } finally {
    await server.stop();
    say(`The report is in ${options.out}.`);
  }
}

try {
  const options = parseOptions(process.argv.slice(2), EXPERIMENTS);
  process.exitCode = (await run(options)) ? 0 : 1;
} catch (error) {
  say(`${(error as Error).message}\n${USAGE}`);
  process.exitCode = 2;
}
