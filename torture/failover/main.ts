import { findPrograms } from '../../ops/ha/programs.ts';
import { type Arena, runExperiment } from '../arena.ts';
import { BrokenPromise, type Experiment } from '../experiment.ts';
import { failover, mustHaveHeld, runControl, runFailover } from './failover.ts';
import { planFaults } from './faults.ts';
import type { Round } from './run-rounds.ts';
import { tableOf } from './table.ts';

const USAGE = `npm run failover, with these variables:
  FAULTS=1                 so many faults of each kind; 5 kills, 5 switchovers, 3 freezes and 3 partitions by default
  KINDS=kill,switchover    some kinds of kill, switchover, freeze, partition; all by default
  CONTROL=off              without the control run on asynchronous replication; CONTROL=only: that alone
  TORTURE_SEED=1           repeats the choices of a run`;

const say = (text: string) => void process.stderr.write(`${text}\n`);

/** Runs one part on an arena of its own, which closes whatever it opened. */
async function inArena(run: Experiment['run']): Promise<void> {
  const seed = Number(process.env.TORTURE_SEED ?? Date.now() % 2 ** 31);
  say(`seed ${seed}`);
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error('interrupted: what was started is ended')));
  });
  const noDatabase = () => Promise.reject(new Error('the cluster is the database here'));
  const untilInterrupted: Experiment['run'] = (arena, amount) =>
    Promise.race([run(arena, amount), interrupted]);
  await runExperiment({ ...failover, run: untilInterrupted }, 1, { seed, makeDatabase: noDatabase });
}

async function main(): Promise<void> {
  findPrograms();
  const { FAULTS, KINDS, CONTROL } = process.env;
  const faults = planFaults(KINDS?.split(','), FAULTS === undefined ? undefined : Number(FAULTS));
  if (CONTROL !== 'only') {
    await told('Synchronous, strict:', async (arena, keep) =>
      mustHaveHeld(await runFailover(arena, faults, keep), arena.limit),
    );
  }
  if (CONTROL === 'off') return;
  await told('The control run, asynchronous, where receipts must be lost:', (arena, keep) =>
    runControl(arena, (round) => keep({ ...round, wrong: [], unclean: [] })),
  );
}

/** Runs one part and prints its table, also of a part that breaks. */
async function told(
  title: string,
  run: (arena: Arena, keep: (round: Round) => void) => Promise<unknown>,
): Promise<void> {
  const rounds: Round[] = [];
  const keep = (round: Round) => {
    rounds.push(round);
    say(`${rounds.length}: ${round.fault}, ${round.acknowledged} acknowledged, ${round.outageMs} ms`);
  };
  try {
    await inArena(async (arena) => {
      await run(arena, keep);
      return {};
    });
  } finally {
    console.log(`\n${title}\n\n${tableOf(rounds)}`);
  }
}

try {
  await main();
} catch (error) {
  if (error instanceof BrokenPromise) say(`\nBROKEN:\n${error.message}`);
  else say(`${(error as Error).stack}\n\n${USAGE}`);
  process.exitCode = 1;
}
