import { findPrograms } from '../../ops/ha/programs.ts';
import { type Arena, runExperiment } from '../arena.ts';
import { BrokenPromise, type Experiment } from '../experiment.ts';
import { failover, mustHaveHeld, runControl, runFailover } from './failover.ts';
import { planFaults } from './faults.ts';
import { type Part, runParts } from './run-parts.ts';
import type { Round } from './run-rounds.ts';
import { tableOf } from './table.ts';

const USAGE = `npm run failover, with these variables:
  FAULTS=1                 so many faults of each kind; 5 kills, 5 switchovers, 3 freezes and 3 partitions by default
  KINDS=kill,switchover    some kinds of kill, switchover, freeze, partition; all by default
  CONTROL=off              without the control run on asynchronous replication; CONTROL=only: that alone
  TORTURE_SEED=1           repeats the choices of a run`;

const say = (text: string) => void process.stderr.write(`${text}\n`);

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interruption.abort(new Error('interrupted: what was started is ended')));

/** Runs one part in a separate arena, which closes its resources afterwards. */
async function inArena(run: Experiment['run']): Promise<void> {
  const seed = Number(process.env.TORTURE_SEED ?? Date.now() % 2 ** 31);
  say(`seed ${seed}`);
  const interrupted = new Promise<never>((_, reject) => {
    interruption.signal.addEventListener('abort', () => reject(interruption.signal.reason));
  });
  interrupted.catch(() => undefined);
  const noDatabase = () => Promise.reject(new Error('the cluster is the database here'));
  const untilInterrupted: Experiment['run'] = (arena, amount) =>
    Promise.race([run(arena, amount), interrupted]);
  await runExperiment({ ...failover, run: untilInterrupted }, 1, { seed, makeDatabase: noDatabase });
}

async function main(): Promise<void> {
  if (process.argv.length > 2) {
    say(USAGE);
    process.exitCode = process.argv.includes('--help') ? 0 : 2;
    return;
  }
  findPrograms();
  const { FAULTS, KINDS, CONTROL } = process.env;
  const faults = planFaults(KINDS?.split(','), FAULTS === undefined ? undefined : Number(FAULTS));
  const strict = told('Synchronous, strict:', async (arena, keep) =>
    mustHaveHeld(await runFailover(arena, faults, keep), arena.limit),
  );
  const control = told('The control run, asynchronous, where receipts must be lost:', (arena, keep) =>
    runControl(arena, (round) => keep({ ...round, wrong: [], unclean: [] })),
  );
  const parts = [...(CONTROL === 'only' ? [] : [strict]), ...(CONTROL === 'off' ? [] : [control])];
  await runParts(parts, interruption.signal);
}

/** Creates a part of the run that prints the table of its rounds, even if the part fails. */
function told(title: string, run: (arena: Arena, keep: (round: Round) => void) => Promise<unknown>): Part {
  return {
    title,
    async run() {
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
    },
  };
}

try {
  await main();
} catch (error) {
  if (error instanceof BrokenPromise) say(`\nBROKEN:\n${error.message}`);
  else {
    const { stack, cause } = error as Error;
    say(
      [stack, (cause as Error | undefined)?.stack, '', USAGE].filter((text) => text !== undefined).join('\n'),
    );
  }
  process.exitCode = 1;
}
