import { setTimeout as sleep } from 'node:timers/promises';
import { reapDue } from '../server/src/billing/ledger/reap.ts';
import { connect, type Database } from '../server/src/platform/database/connect.ts';
import { replaceClock, shiftClock } from '../server/testing/clock.ts';
import {
  type Cut,
  type DatabaseProxy,
  openDatabaseProxy,
  STATEMENT_TEXT,
} from '../server/testing/database-proxy.ts';
import { giveCredits, makeAccount, makeListing, type TestAccount } from '../server/testing/factories.ts';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { operationParts } from '../server/testing/operations/operation-parts.ts';
import {
  answer,
  createStandIn,
  createSyncStandIn,
  refuse,
} from '../server/testing/stand-ins/stand-in-backend.ts';
import { callInProcess, wordOf } from './call-in-process.ts';
import { type Experiment, mustHold } from './experiment.ts';

const LANES = 12;
const STEP_BYTES = 16;
const LEASE_MS = 10_000;
/** Maximum wait for a statement after its call has ended. */
const UNSENT_AFTER_MS = 5_000;

type Statement = keyof typeof STATEMENT_TEXT;

interface CutPoint {
  statement: Statement;
  cut: Cut;
}

/** One caller with a separate proxy and connection pool. */
interface Lane {
  line: DatabaseProxy;
  database: Database;
  account: TestAccount;
  subject: string;
}

/** F4: the database connection is cut at regular byte positions of the statements `reserve`, `settle`, `charge` and `fail`. */
export const cutPoints: Experiment = {
  id: 'F4',
  promise:
    'wherever the line to the database is cut, the call comes to one known end and is charged once at most',
  unit: 'cut points per 16 bytes',
  amount: { suite: fewerUnlessNightly(0.06, 1), long: 16 },
  async run(arena, perSixteen) {
    const { database, url } = await arena.database();
    await replaceClock(database);
    const subject = (await makeListing(database)).repository;
    const lanes = await Promise.all(
      Array.from({ length: LANES }, async () => {
        const line = await openDatabaseProxy(url);
        arena.atEnd(() => line.close());
        const broken = connect(line.url, { poolSize: 2 });
        arena.atEnd(() => broken.close());
        const account = await makeAccount(database);
        await giveCredits(database, account.accountId, 10_000_000);
        return { line, database: broken, account, subject };
      }),
    );
    const points = await allCutPoints(lanes[0] as Lane, Math.max(1, Math.round(STEP_BYTES / perSixteen)));
    const words: Record<string, number> = {};
    const calls: { lane: Lane; key: string; asked: string[] }[] = [];
    let next = 0;
    let unsent = 0;
    const work = async (lane: Lane) => {
      for (let index = next++; index < points.length; index = next++) {
        const key = `cut-${index}`;
        const { word, asked, isCut } = await callThrough(lane, points[index] as CutPoint, key, database);
        if (!isCut) unsent += 1;
        words[word] = (words[word] ?? 0) + 1;
        calls.push({ lane, key, asked });
        arena.progress(calls.length);
      }
    };
    await Promise.all(lanes.map(work));
    await shiftClock(database, `${LEASE_MS} milliseconds`);
    await reapDue(database);
    const resolve = async () => {
      for (let call = calls.pop(); call; call = calls.pop())
        await mustResolve(database, call.lane, call.key, call.asked);
    };
    await Promise.all(lanes.map(resolve));
    return { cuts: points.length - unsent, unsent, ...words, lost: 0, doubled: 0 };
  },
};

function partsOn(database: Database, statement: Statement | null) {
  const backend =
    statement === 'charge' ? createSyncStandIn() : createStandIn(statement === 'fail' ? refuse : answer);
  const timings = {
    holdMs: 2_200,
    attemptMs: 5_000,
    budgetMs: 5_000,
    retryAfterCapMs: 10,
    leaseMs: LEASE_MS,
  };
  return { backend, parts: operationParts(database, { backend, timings }) };
}

/** Measures the size of each statement and of its answer, then returns a cut point every `step` bytes of both. */
async function allCutPoints(lane: Lane, step: number): Promise<CutPoint[]> {
  const points: CutPoint[] = [];
  for (const statement of Object.keys(STATEMENT_TEXT) as Statement[]) {
    const { parts } = partsOn(lane.database, statement);
    const { secret } = lane.account.key;
    // A session sends the text of a prepared statement only once. Open new sessions, so that this call sends the text.
    lane.database.renewSessions();
    // This first call of a new account also opens its monthly buckets; the size of the statement is the same.
    const seen = lane.line.breakAt(STATEMENT_TEXT[statement], { direction: 'request', afterBytes: Infinity });
    const call = { secret, subject: lane.subject, idempotencyKey: `measured-${statement}` };
    await wordOf(callInProcess(parts, call));
    const sizes = await seen;
    mustHold(sizes.request > 500 && sizes.answer > 20, `${statement} was not found on the line`);
    for (const direction of ['request', 'answer'] as const)
      for (let afterBytes = 0; afterBytes < sizes[direction]; afterBytes += step)
        points.push({ statement, cut: { direction, afterBytes } });
  }
  return points;
}

/** Makes one call with a cut connection; its answer must match the stored state. */
async function callThrough(lane: Lane, point: CutPoint, key: string, sound: Database) {
  const { parts, backend } = partsOn(lane.database, point.statement);
  const seen = lane.line.breakAt(STATEMENT_TEXT[point.statement], point.cut);
  const call = callInProcess(parts, {
    secret: lane.account.key.secret,
    subject: lane.subject,
    idempotencyKey: key,
  });
  const word = await wordOf(call);
  // On a slow machine a call can time out before it sends the statement, which then is never seen, nor counted as cut.
  const unsent = sleep(UNSENT_AFTER_MS, false, { ref: false });
  const isCut = await Promise.race([seen.then(() => true), unsent]);
  const where = `${point.statement} cut after ${point.cut.afterBytes} bytes of its ${point.cut.direction}`;
  const expected = point.statement === 'fail' ? 'scoring_failed' : 'settled';
  mustHold(word === expected || word === 'unavailable', `${where}: ${word}`);
  const states = (await runsOf(sound, lane, key)).map(({ state }) => state);
  if (word === 'settled')
    mustHold(states.join() === 'settled', `${where}: told of a receipt, stored ${states}`);
  if (word === 'scoring_failed')
    mustHold(states.join() === 'failed', `${where}: told of a failure, stored ${states}`);
  return { word, asked: backend.calls, isCut };
}

function runsOf(
  database: Database,
  lane: Lane,
  key: string,
): Promise<{ ledger_id: string; state: string }[]> {
  return database.query(
    'SELECT ledger_id, state FROM usage_run WHERE account_id = $1 AND idempotency_key = $2 ORDER BY attempt',
    [lane.account.accountId, key],
  );
}

/**
 * Retries every key over a working connection: each must end with one charge, and its attempts must explain all
 * backend calls.
 */
async function mustResolve(
  database: Database,
  lane: Lane,
  key: string,
  asked: readonly string[],
): Promise<void> {
  const { parts, backend } = partsOn(database, null);
  const call = { secret: lane.account.key.secret, subject: lane.subject, idempotencyKey: key };
  const word = await wordOf(callInProcess(parts, call));
  const runs = await runsOf(database, lane, key);
  const seen = `${key}: ${word}, stored ${runs.map(({ state }) => state)}, asked ${asked.length + backend.calls.length}`;
  mustHold(word === 'settled' || word === 'replay', seen);
  mustHold(
    runs.filter(({ state }) => state === 'settled').length === 1 && runs.at(-1)?.state === 'settled',
    seen,
  );
  const all = [...asked, ...backend.calls];
  mustHold(
    new Set(all).size === all.length && all.every((id) => runs.some((run) => run.ledger_id === id)),
    seen,
  );
}
