import { randomInt } from 'node:crypto';
import { inject } from 'vitest';
import { cloneDatabase } from '../server/testing/clone-database.ts';
import { runExperiment } from './arena.ts';
import type { Experiment, Figures } from './experiment.ts';

/** Time limit below the tests' timeout, so that nothing is left running. */
const TIME_LIMIT_MS = 170_000;
/**
 * Factor for time limits, because tests run in parallel. 2.5 keeps the limits below PostgreSQL's timeouts, which end a longer
 * delay in any case.
 */
const PATIENCE = 2.5;

/**
 * Runs an experiment with the suite's amounts on the run's PostgreSQL. Prints the seed and the counts; TORTURE_SEED
 * repeats a run. Rejects with BrokenPromise on a violation.
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
