import { randomInt } from 'node:crypto';
import { inject } from 'vitest';
import { cloneDatabase } from '../server/testing/clone-database.ts';
import { runExperiment } from './arena.ts';
import type { Experiment, Figures } from './experiment.ts';

/** Below the tests' own limit, so that nothing is left running. */
const TIME_LIMIT_MS = 170_000;
/** Other tests run beside it. Twice and a half is still less than PostgreSQL's own limits, which would hide what takes too long. */
const PATIENCE = 2.5;

/**
 * Runs an experiment at the suite's figures, on the run's PostgreSQL. Prints the seed and what was counted; TORTURE_SEED
 * repeats a run. Rejects with BrokenPromise where something did not hold.
 */
export async function holds(experiment: Experiment): Promise<Figures> {
  const seed = Number(process.env.TORTURE_SEED ?? randomInt(2 ** 31));
  console.log(`${experiment.id} seed ${seed} (again: TORTURE_SEED=${seed}): ${experiment.promise}`);
  const figures = await runExperiment(experiment, experiment.amount.suite, {
    seed,
    timeLimitMs: TIME_LIMIT_MS,
    patience: PATIENCE,
    makeDatabase: (options) => cloneDatabase(inject('testServerUrl'), inject('testTemplate'), options),
  });
  console.log(`${experiment.id} ${JSON.stringify(figures)}`);
  return figures;
}
