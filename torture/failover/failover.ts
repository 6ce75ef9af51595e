import { missingPrograms } from '../../ops/ha/programs.ts';
import type { Arena } from '../arena.ts';
import { type Experiment, type Figures, mustBeNone, mustHold } from '../experiment.ts';
import { clientsStay, type Fault, planFaults } from './faults.ts';
import { type Round, runRounds } from './run-rounds.ts';
import { openStage } from './stage.ts';

/** Maximum outage: Patroni's `ttl` of 20 s, an election, and the balancer's next check. */
const LONGEST_OUTAGE_MS = 30_000;
const NODES = 3;

/**
 * Runs F3: nodes of a synchronous cluster are killed, frozen and cut off under load. Returns the outcome of each fault.
 */
export async function runFailover(
  arena: Arena,
  faults: readonly Fault[],
  onRound: (round: Round) => void = () => undefined,
): Promise<Round[]> {
  const stage = await openStage(arena, NODES, true);
  return runRounds(arena, stage, faults, { onRound });
}

/** Runs one fault with asynchronous replication and expects lost receipts, which shows that the test detects them. */
export async function runControl(
  arena: Arena,
  onRound: (round: Round) => void = () => undefined,
): Promise<Round[]> {
  const stage = await openStage(arena, NODES, false);
  const rounds = await runRounds(arena, stage, [clientsStay], { onRound });
  mustHold(
    rounds.some(({ lost }) => lost > 0),
    'nothing is lost without synchronous replication: the test is blind',
  );
  // If changes are lost, the reader of the change feed must be told to start again; it must never have a gap.
  mustBeNone(rounds.flatMap(({ wrong }) => wrong.filter((what) => what.startsWith('feed:'))));
  return rounds;
}

/** Fails the experiment if a round lost or doubled a charge or has another problem, or if no change was read. */
function mustHaveLostNone(rounds: readonly Round[]): void {
  for (const { fault, wrong, lost, doubled } of rounds) {
    mustBeNone(wrong.map((what) => `${fault}: ${what}`));
    mustHold(lost === 0 && doubled === 0, `${fault}: ${lost} receipts lost, ${doubled} charged twice`);
  }
  const changes = rounds.reduce((sum, round) => sum + round.changes, 0);
  mustHold(changes > 0, 'the reader of the change feed got no change');
}

/**
 * Expects that no receipt was lost, that calls continued in time, and that no session stayed on a former leader. `limit`
 * adapts the longest allowed outage to this machine.
 */
export function mustHaveHeld(rounds: readonly Round[], limit: (promisedMs: number) => number): void {
  mustHaveLostNone(rounds);
  for (const { fault, unclean, outageMs } of rounds) {
    mustBeNone(unclean.map((what) => `${fault}, 5 s after the first receipt: ${what}`));
    mustHold(outageMs <= limit(LONGEST_OUTAGE_MS), `${fault}: no receipt for ${outageMs} ms`);
  }
}

/** F3 as an experiment; `amount` is the number of faults of each kind. */
export const failover: Experiment = {
  id: 'F3',
  promise: 'a database node that is killed, frozen or cut off takes no receipt with it, and calls go on',
  unit: 'faults of each kind',
  amount: { suite: 1, long: 5 },
  missing: missingPrograms,
  async run(arena, timesEach) {
    const rounds = await runFailover(arena, planFaults(undefined, timesEach));
    mustHaveHeld(rounds, arena.limit);
    return figuresOf(rounds);
  },
};

/**
 * The shortest failover, for the test suite: in a cluster of two nodes, the leader hands over to the other node. Unlike
 * F3, it sets no limit for the outage.
 */
export const handOver: Experiment = {
  ...failover,
  promise: 'a database node that hands over takes no receipt with it, and calls go on',
  unit: 'switchovers',
  amount: { suite: 1, long: 5 },
  async run(arena, times) {
    const stage = await openStage(arena, 2, true);
    const rounds = await runRounds(arena, stage, planFaults(['switchover'], times), { observesPools: false });
    mustHaveLostNone(rounds);
    return figuresOf(rounds);
  },
};

function figuresOf(rounds: readonly Round[]): Figures {
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  return {
    faults: rounds.length,
    calls: sum(({ calls }) => calls),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    lost: sum(({ lost }) => lost),
    doubled: sum(({ doubled }) => doubled),
    changes: sum(({ changes }) => changes),
    feedRestarts: sum(({ restarts }) => restarts),
    longestOutageMs: Math.max(...rounds.map(({ outageMs }) => outageMs)),
  };
}
