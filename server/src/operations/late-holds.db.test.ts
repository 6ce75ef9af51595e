import { describe, expect, it } from 'vitest';
import { STATEMENT_TEXT } from '../../testing/database-proxy.ts';
import { credentialOf, makeAccount, PLAN_BOOK, type TestAccount } from '../../testing/factories.ts';
import { TIMINGS, useOperations } from '../../testing/operations/operation-harness.ts';
import { requestFor } from '../../testing/operations/operation-parts.ts';
import { createStandIn, createSyncStandIn } from '../../testing/stand-ins/stand-in-backend.ts';
import { loadBillingContext } from '../billing/ledger/billing-context.ts';
import { READ_RUN_CONFIRMED } from '../billing/ledger/read-run.ts';
import type { Database } from '../platform/database/connect.ts';
import { reloadBillingContext } from './call-context.ts';
import { CallDeadlineExceededError, type Deadline } from './deadline.ts';
import { openRun } from './open-run.ts';
import { describeCall } from './operation-call.ts';
import type { LedgerParts } from './refusal-checks.ts';

const world = useOperations();
const LOST = new Error('Connection terminated unexpectedly');

/** Runs all statements, but loses the results of the selected ones after the call was answered. */
function losing(isLost: (sql: string) => boolean, answered: Promise<void>): Database {
  const query: Database['query'] = async (sql, bind) => {
    const rows = await world.database.query(sql, bind);
    if (!isLost(sql)) return rows as never;
    await answered;
    throw LOST;
  };
  return { ...world.database, query };
}

/** Opens a run whose deadline passes while its hold is in progress; returns what was logged about it. */
async function openTooLate(account: TestAccount, isLost: (sql: string) => boolean, enough: number) {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const database = losing(isLost, answered);
  const call = describeCall(PLAN_BOOK, credentialOf(account.key), requestFor(world.listing.repository));
  const found = await reloadBillingContext(world.database, PLAN_BOOK, call);
  const neverInTime: Deadline = Object.assign(() => Promise.reject(new CallDeadlineExceededError()), {
    until: 0,
  });
  const told: Error[] = [];
  const toldEnough = new Promise<void>((resolve) => {
    const parts: LedgerParts = {
      database,
      planBook: PLAN_BOOK,
      onUnknownOutcome: (_ledgerId, error) => {
        told.push(error as Error);
        if (told.length === enough) resolve();
      },
    };
    const opening = openRun(parts, call, found, world.listing.subjectId, 60_000, neverInTime);
    expect(opening).rejects.toBeInstanceOf(CallDeadlineExceededError).then(answer);
  });
  await toldEnough;
  return { call, told };
}

async function untilEnded(accountId: string): Promise<unknown> {
  for (;;) {
    const [run] = await world.database.query<{ state: string }>(
      'SELECT state, fail_code FROM usage_run WHERE account_id = $1',
      [accountId],
    );
    if (run && run.state !== 'reserved') return run;
  }
}

describe('a hold that is made after its call was told to retry', () => {
  it('is found and released although its answer was lost', async () => {
    const account = await makeAccount(world.database);

    const { told } = await openTooLate(account, (sql) => sql.includes(STATEMENT_TEXT.reserve), 1);

    expect(await untilEnded(account.accountId)).toEqual({ state: 'failed', fail_code: 'abandoned' });
    expect(told).toEqual([LOST]);
    expect(await world.totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
  });

  it('is left to the reaper if it cannot be read either, and this is logged', async () => {
    const account = await makeAccount(world.database);
    const isLost = (sql: string) => sql.includes(STATEMENT_TEXT.reserve) || sql === READ_RUN_CONFIRMED;

    const { call, told } = await openTooLate(account, isLost, 2);

    expect(told).toEqual([LOST, expect.objectContaining({ code: 'unavailable' })]);
    const { lastRun } = (await loadBillingContext(world.database, call)) ?? {};
    expect(lastRun).toMatchObject({ state: 'reserved' });
  });
});

describe('a call whose deadline passed before its statement was sent', () => {
  it.each([
    ['opens', createStandIn()],
    ['charges', createSyncStandIn()],
  ])('%s nothing, and is told to retry', async (_what, backend) => {
    const account = await makeAccount(world.database);

    const call = world.run(account, {}, { backend, timings: { ...TIMINGS, holdMs: -1 } });

    await expect(call).rejects.toBeInstanceOf(CallDeadlineExceededError);
    expect(await world.totals(account)).toMatchObject({ runs: 0 });
  });
});
