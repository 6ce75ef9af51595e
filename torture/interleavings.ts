import fc from 'fast-check';
import { reapDue } from '../server/src/billing/ledger/reap.ts';
import type { OperationOutcome } from '../server/src/operations/run-operation.ts';
import type { Database } from '../server/src/platform/database/connect.ts';
import { DomainError } from '../server/src/platform/errors/domain-error.ts';
import { replaceClock, setClock } from '../server/testing/clock.ts';
import { giveCredits, makeAccount, makeListing, type TestAccount } from '../server/testing/factories.ts';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { operationParts } from '../server/testing/operations/operation-parts.ts';
import { createStandIn, usableScore } from '../server/testing/stand-ins/stand-in-backend.ts';
import { callInProcess } from './call-in-process.ts';
import { check } from './check-property.ts';
import { type Experiment, mustBeNone, mustHold } from './experiment.ts';
import { findFaults } from './soundness.ts';

const LANES = 4;
/** Maximum number of full ledger checks, whose cost grows with each schedule. */
const MOST_CHECKS = 100;
const FAULTS_EVERY = 100;
const START = Date.UTC(2031, 4, 14, 12);
const LEASE_MS = 60_000;
/** Timeout that never fires, even on a stalled machine, because this experiment is about order and not about time. */
const PATIENT_MS = 60_000;

interface Lane {
  database: Database;
  account: TestAccount;
  subject: string;
  counts: Record<string, number>;
}

/** Conditions of one schedule: the backend's answers in order, and whether the lease ends during it. */
interface Circumstances {
  answers: boolean[];
  leaseEnds: boolean;
}

/** C4: three requests with one idempotency key and the reaper, with their statements in random orders. */
export const interleavings: Experiment = {
  id: 'C4',
  promise:
    'in whatever order the statements of three same-key requests and the reaper come, one charge is the most',
  unit: 'schedules',
  amount: { suite: fewerUnlessNightly(80, 2_000), long: 100_000 },
  async run(arena, schedules) {
    const counts: Record<string, number> = {};
    let done = 0;
    const faultsEvery = Math.max(FAULTS_EVERY, Math.ceil(schedules / MOST_CHECKS));
    const runLane = async (_: unknown, place: number) => {
      const { database } = await arena.database({
        poolSize: 4,
        acquireTimeoutMs: PATIENT_MS,
        statementTimeoutMs: PATIENT_MS,
      });
      await replaceClock(database);
      await setClock(database, new Date(START).toISOString());
      const account = await makeAccount(database);
      await giveCredits(database, account.accountId, 10_000_000);
      const lane = { database, account, subject: (await makeListing(database)).repository, counts };
      const circumstances = fc.record({
        answers: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
        leaseEnds: fc.boolean(),
      });
      const property = fc.asyncProperty(fc.scheduler(), circumstances, async (scheduler, given) => {
        await runSchedule(lane, scheduler, given, `schedule-${place}-${done}`);
        done += 1;
        if (done % faultsEvery === 0) mustBeNone(await findFaults(database));
        arena.progress(done);
      });
      await check(property, Math.ceil(schedules / LANES), arena.random.fork(`lane ${place}`).seed);
      await setClock(database, null);
    };
    await Promise.all(Array.from({ length: LANES }, runLane));
    return { schedules: done, ...counts };
  },
};

/** Makes every statement and every backend answer wait until the scheduler releases it. */
function scheduled(lane: Lane, scheduler: fc.Scheduler, given: Circumstances) {
  const query = inTurn(scheduler, lane.database.query) as Database['query'];
  // Batchers belong to a `Database` object. A new object for each caller simulates a separate process, so that
  // items of different callers are never in one batch.
  const process = (): Database => ({ ...lane.database, query });
  const backend = createStandIn();
  backend.behave(
    inTurn(scheduler, async (request) => {
      if (!given.answers[backend.calls.indexOf(request.runId ?? '')]) throw new Error('the upstream refuses');
      return usableScore(request);
    }),
  );
  const timings = {
    holdMs: PATIENT_MS,
    attemptMs: PATIENT_MS,
    budgetMs: PATIENT_MS,
    retryAfterCapMs: 10,
    leaseMs: LEASE_MS,
  };
  return { process, backend, partsOn: () => operationParts(process(), { backend, timings }) };
}

/** Schedules work. Hides failures of the work from the scheduler, which would treat them as failures of its own. */
function inTurn<Arguments extends unknown[], Result>(
  scheduler: fc.Scheduler,
  work: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  const turn = scheduler.scheduleFunction((...given: Arguments) =>
    work(...given).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    ),
  );
  return async (...given) => {
    const ended = await turn(...given);
    if ('error' in ended) throw ended.error;
    return ended.result;
  };
}

async function runSchedule(
  lane: Lane,
  scheduler: fc.Scheduler,
  given: Circumstances,
  idempotencyKey: string,
): Promise<void> {
  await setClock(lane.database, new Date(START).toISOString());
  const { process, backend, partsOn } = scheduled(lane, scheduler, given);
  const { key } = lane.account;
  const call = () => callInProcess(partsOn(), { secret: key.secret, subject: lane.subject, idempotencyKey });
  const endLease = inTurn(scheduler, () =>
    setClock(lane.database, new Date(START + LEASE_MS + 1).toISOString()),
  );
  const results = await scheduler.waitFor(
    Promise.all(
      [call(), call(), call()]
        .map(settledOrCode)
        .concat([
          given.leaseEnds ? endLease().then(() => 'clock') : Promise.resolve('clock'),
          reapDue(process()).then(() => 'reaper'),
        ]),
    ),
  );
  await judge(lane, given, results.slice(0, 3), backend.calls, idempotencyKey);
}

type Result = OperationOutcome | string;

function settledOrCode(call: Promise<OperationOutcome>): Promise<Result> {
  return call.catch((error) => (error instanceof DomainError ? error.code : Promise.reject(error)));
}

async function judge(
  lane: Lane,
  given: Circumstances,
  results: readonly Result[],
  asked: readonly string[],
  idempotencyKey: string,
): Promise<void> {
  const runs = await lane.database.query<{ ledger_id: string; state: string }>(
    'SELECT ledger_id, state FROM usage_run WHERE account_id = $1 AND idempotency_key = $2 ORDER BY attempt',
    [lane.account.accountId, idempotencyKey],
  );
  const words = results.map((result) => (typeof result === 'string' ? result : result.kind));
  const seen = `${words.join(', ')}; runs ${runs.map(({ state }) => state).join(', ')}; asked ${asked.length}`;
  for (const word of words) lane.counts[word] = (lane.counts[word] ?? 0) + 1;

  const settled = runs.filter(({ state }) => state === 'settled').map(({ ledger_id }) => ledger_id);
  const fresh = words.filter((word) => word === 'settled').length;
  mustHold(settled.length <= 1 && fresh === settled.length, `charges and first receipts differ: ${seen}`);
  mustHold(settled.length === 1 || !words.includes('replay'), `a replay of nothing: ${seen}`);
  for (const result of results) {
    if (typeof result === 'string') continue;
    const ledgerId =
      result.kind === 'settled' ? result.ledgerId : result.kind === 'replay' ? result.run.ledgerId : '';
    mustHold(ledgerId === settled[0], `a receipt of another run: ${seen}`);
  }
  mustHold(
    asked.length === runs.length && new Set(asked).size === runs.length,
    `not once per attempt: ${seen}`,
  );
  mustHold(
    runs.every(({ state }) => state !== 'reserved'),
    `a run was left open: ${seen}`,
  );
  const allowed = ['settled', 'replay', 'idempotency_in_progress', 'scoring_failed'];
  mustHold(
    words.every((word) => allowed.includes(word)),
    `an answer out of place: ${seen}`,
  );
  if (!given.leaseEnds && given.answers[0])
    mustHold(fresh === 1 && asked.length === 1, `nothing stood in the way of one charge: ${seen}`);
}
