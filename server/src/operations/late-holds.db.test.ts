import { describe, expect, it } from 'vitest';
import { STATEMENT_TEXT } from '../../testing/database-line.ts';
import { credentialOf, makeAccount, PLAN_BOOK, type TestAccount } from '../../testing/factories.ts';
import { TIMINGS, useOperations } from '../../testing/operations/operation-harness.ts';
import { requestFor } from '../../testing/operations/operation-parts.ts';
import { createStandIn, createStandInAtOnce } from '../../testing/stand-ins/stand-in-backend.ts';
import type { Database } from '../database/connect.ts';
import { lookUp } from '../ledger/look-up.ts';
import { READ_RUN_CONFIRMED } from '../ledger/read-run.sql.ts';
import { type InTime, TooLate } from './deadline.ts';
import { lookUpWithPeriods } from './identify-call.ts';
import { openRun } from './open-run.ts';
import { describeCall } from './operation-call.ts';

const world = useOperations();
const LOST = new Error('Connection terminated unexpectedly');

/** Statements for which this says so take effect, and their answers are lost once the call was answered. */
function losing(isLost: (sql: string) => boolean, answered: Promise<void>): Database {
  const query: Database['query'] = async (sql, bind) => {
    const rows = await world.database.query(sql, bind);
    if (!isLost(sql)) return rows as never;
    await answered;
    throw LOST;
  };
  return { ...world.database, query };
}

/** A call whose time is over while its hold is under way; answers what the log was told of its run, once it was told enough. */
async function openTooLate(account: TestAccount, isLost: (sql: string) => boolean, enough: number) {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const database = losing(isLost, answered);
  const call = describeCall(PLAN_BOOK, credentialOf(account.key), requestFor(world.listing.repository));
  const found = await lookUpWithPeriods(world.database, PLAN_BOOK, call);
  const neverInTime: InTime = Object.assign(() => Promise.reject(new TooLate()), { until: 0 });
  const told: Error[] = [];
  const toldEnough = new Promise<void>((resolve) => {
    const parts = {
      database,
      planBook: PLAN_BOOK,
      onDoubt: (_ledgerId: string, error: unknown) => {
        told.push(error as Error);
        if (told.length === enough) resolve();
      },
    };
    const opening = openRun(parts, call, found, world.listing.subjectId, 60_000, neverInTime);
    expect(opening).rejects.toBeInstanceOf(TooLate).then(answer);
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

describe('a hold that comes after its call was told to try again', () => {
  it('is looked for and given back although its answer was lost', async () => {
    const account = await makeAccount(world.database);

    const { told } = await openTooLate(account, (sql) => sql.includes(STATEMENT_TEXT.reserve), 1);

    expect(await untilEnded(account.accountId)).toEqual({ state: 'failed', fail_code: 'abandoned' });
    expect(told).toEqual([LOST]);
    expect(await world.totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
  });

  it('is left to the reaper where it cannot be read either, and the log is told so', async () => {
    const account = await makeAccount(world.database);
    const isLost = (sql: string) => sql.includes(STATEMENT_TEXT.reserve) || sql === READ_RUN_CONFIRMED;

    const { call, told } = await openTooLate(account, isLost, 2);

    expect(told).toEqual([LOST, expect.objectContaining({ code: 'unavailable' })]);
    const { lastRun } = (await lookUp(world.database, call)) ?? {};
    expect(lastRun).toMatchObject({ state: 'reserved' });
  });
});

describe('a call whose time was over before its statement was sent', () => {
  it.each([
    ['opens', createStandIn()],
    ['charges', createStandInAtOnce()],
  ])('%s nothing, and is told to try again', async (_what, backend) => {
    const account = await makeAccount(world.database);

    const call = world.run(account, {}, { backend, timings: { ...TIMINGS, holdMs: -1 } });

    await expect(call).rejects.toBeInstanceOf(TooLate);
    expect(await world.totals(account)).toMatchObject({ runs: 0 });
  });
});
