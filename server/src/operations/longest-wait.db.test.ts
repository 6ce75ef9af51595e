import { afterEach, describe, expect, it, vi } from 'vitest';
import { STATEMENT_TEXT } from '../../testing/database-proxy.ts';
import { credentialOf, makeAccount, PLAN_BOOK } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { operationParts, requestFor } from '../../testing/operations/operation-parts.ts';
import { usableScore } from '../../testing/stand-ins/stand-in-backend.ts';
import type { BillingContext } from '../billing/ledger/billing-context.ts';
import { newLedgerId, type Reservation } from '../billing/ledger/reserve.ts';
import type { Connection, Database } from '../platform/database/connect.ts';
import { type AcceptedScore, acceptScore } from '../scoring/scores/accept-score.ts';
import type { ScoreRequest } from '../scoring/scoring-backend.ts';
import { reloadBillingContext } from './call-context.ts';
import { chargeRun } from './charge-run.ts';
import { startDeadline } from './deadline.ts';
import { failRun, settleRun } from './end-run.ts';
import { openRun } from './open-run.ts';
import { describeCall, type OperationCall } from './operation-call.ts';
import { createRunSignatures } from './run-signatures.ts';

/** Timings of a deployed server. */
const HOLD_MS = 2_200;
/** Maximum wait promised to callers, in addition to the backend's answer time. */
const LONGEST_MS = 5_000;
const LEASE_MS = 60_000;

const world = useOperations();
afterEach(() => void vi.useRealTimers());

type Behaviour = () => Promise<never[]>;

const never: Behaviour = () => new Promise(() => undefined);
const undone: Behaviour = async () => [];
const after = (ms: number, then: Behaviour): Behaviour => {
  return () => new Promise((resolve) => setTimeout(() => resolve(then()), ms));
};
const lost: Behaviour = () => Promise.reject(new Error('Connection terminated unexpectedly'));
/** Delays a behaviour until 1 ms before the deadline, so that the next step starts as late as possible. */
const late = (then: Behaviour) => after(HOLD_MS - 1, then);

/** Simulates a database that runs `behaviour` for the statement with this text, and never answers any other. */
function meeting(text: string, behaviour: Behaviour): Database {
  const query = (sql: string) => (sql.includes(text) ? behaviour() : never());
  return { ...world.database, query: query as Connection['query'] };
}

interface Asked {
  call: OperationCall;
  found: BillingContext;
  score: AcceptedScore;
}

async function asked(): Promise<Asked> {
  const { key } = await makeAccount(world.database);
  const call = describeCall(PLAN_BOOK, credentialOf(key), requestFor(world.listing.repository));
  const subject = { id: world.listing.subjectId, type: 'agent' };
  const request = { operation: 'agent_score', runId: null, subject, facts: {}, now: new Date() };
  const score = acceptScore(
    usableScore(request as unknown as ScoreRequest),
    request as unknown as ScoreRequest,
    'stand-in',
  );
  return { call, found: await reloadBillingContext(world.database, PLAN_BOOK, call), score };
}

const charges = (database: Database, { call, found, score }: Asked) =>
  chargeRun(
    operationParts(database),
    call,
    found,
    score,
    createRunSignatures(null, score),
    LEASE_MS,
    startDeadline(HOLD_MS),
  );

const opens = (database: Database, { call, found, score }: Asked) =>
  openRun(operationParts(database), call, found, score.subjectId, LEASE_MS, startDeadline(HOLD_MS));

/** Returns a function that settles or fails a run whose hold took the whole deadline. */
const holdsAndEnds =
  (end: 'settle' | 'fail') =>
  async (database: Database, { found, score }: Asked) => {
    const { accountId } = found;
    const run: Reservation = {
      accountId,
      ledgerId: newLedgerId(),
      bucketId: 1,
      source: 'free',
      amount: 1,
      attempt: 1,
    };
    await after(HOLD_MS, undone)();
    if (end === 'settle')
      return settleRun(operationParts(database), run, 'agent', createRunSignatures(null, score));
    throw await failRun(operationParts(database), run, 'upstream_timeout');
  };

describe('no call waits longer for the database than promised', () => {
  it.each([
    ['a charge that is never answered', charges, STATEMENT_TEXT.charge, never],
    ['a charge lost late, whose run cannot be read', charges, STATEMENT_TEXT.charge, late(lost)],
    [
      'a late charge that stored nothing and whose caller cannot be read',
      charges,
      STATEMENT_TEXT.charge,
      late(undone),
    ],
    ['a hold that is never answered', opens, STATEMENT_TEXT.reserve, never],
    ['a hold lost late, whose run cannot be read', opens, STATEMENT_TEXT.reserve, late(lost)],
    [
      'a late hold that stored nothing and whose caller cannot be read',
      opens,
      STATEMENT_TEXT.reserve,
      late(undone),
    ],
    ['a settlement that is never answered', holdsAndEnds('settle'), STATEMENT_TEXT.settle, never],
    ['a lost settlement whose run cannot be read', holdsAndEnds('settle'), STATEMENT_TEXT.settle, lost],
    ['a reversal that is never answered', holdsAndEnds('fail'), STATEMENT_TEXT.fail, never],
    [
      'a lost reversal whose run cannot be read',
      holdsAndEnds('fail'),
      STATEMENT_TEXT.fail,
      after(2_000, lost),
    ],
  ])('%s', async (_what, send, text, behaviour) => {
    const known = await asked();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const ended = vi.fn();

    send(meeting(text, behaviour), known).catch(ended);
    await vi.advanceTimersByTimeAsync(LONGEST_MS);

    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'unavailable' }));
  });
});
