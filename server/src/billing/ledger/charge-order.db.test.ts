import { expect, it } from 'vitest';
import { setClock } from '../../../testing/clock.ts';
import { newProcess } from '../../../testing/ledger/batches.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { charge } from './charge.ts';
import { settle } from './settle.ts';

const world = useLedger();
const { accountWith, hold, input, score } = world;

/** Stops the clock, so that the statement alone determines the time order of rows. */
async function stopClock(): Promise<void> {
  const [now] = await world.database.query<{ at: string }>('SELECT utc_text(ledger_now()) AS at');
  await setClock(world.database, now?.at ?? null);
}

async function inOrderOfTime({ accountId }: { accountId: string }): Promise<string[]> {
  const rows = await world.database.query<{ ledger_id: string }>(
    "SELECT ledger_id FROM ledger_entry WHERE account_id = $1 AND kind = 'settle' ORDER BY at",
    [accountId],
  );
  await setClock(world.database, null);
  return rows.map(({ ledger_id }) => ledger_id);
}

const PLACES = [0, 1, 2, 3, 4, 5, 6, 7];
const STEPS = PLACES.map((place) => (place + 1) * 10);

it('one statement charges runs in the time order of their balances', async () => {
  const account = await accountWith(500);
  const { database, sizes } = newProcess(world.database);
  const calls = PLACES.map(() => ({ ...input(account), score: score(), onSent: () => undefined }));
  await stopClock();

  const charged = await Promise.all(calls.map((call) => charge(database, call)));

  expect(sizes).toEqual([PLACES.length]);
  expect(charged.map((each) => each?.balance.included_used)).toEqual(STEPS);
  expect(await inOrderOfTime(account)).toEqual(calls.map(({ ledgerId }) => ledgerId));
});

it('one statement settles runs in the time order of their balances', async () => {
  const account = await accountWith(500);
  const { database, sizes } = newProcess(world.database);
  const runs = await Promise.all(PLACES.map(() => hold(account)));
  // Settle the runs in the reverse of the order in which they were opened.
  const order = runs.toReversed();
  await stopClock();

  const settled = await Promise.all(order.map((run) => settle(database, run, 'agent', score())));

  expect(sizes).toEqual([PLACES.length]);
  expect(settled.map((each) => each?.balance.included_used)).toEqual(STEPS);
  expect(await inOrderOfTime(account)).toEqual(order.map(({ ledgerId }) => ledgerId));
});
