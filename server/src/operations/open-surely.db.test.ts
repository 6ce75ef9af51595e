import { expect, it, vi } from 'vitest';
import { credentialOf, makeAccount, PLAN_BOOK, type TestAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { requestFor } from '../../testing/operations/operation-parts.ts';
import { newLedgerId } from '../ledger/reserve.ts';
import type { InTime } from './deadline.ts';
import { openSurely } from './open-surely.ts';
import { describeCall } from './operation-call.ts';

const world = useOperations();
const IN_TIME: InTime = Object.assign(<Result>(work: Promise<Result>) => work, { until: Infinity });

/** A call whose statement opens nothing, each time. */
function openNothing(account: TestAccount) {
  const parts = { database: world.database, planBook: PLAN_BOOK, onDoubt: () => undefined };
  const call = describeCall(PLAN_BOOK, credentialOf(account.key), requestFor(world.listing.repository));
  const opening = { open: vi.fn(async () => null), own: async () => null };
  return { opened: openSurely(parts, call, newLedgerId(), opening, IN_TIME), opening };
}

it('a call that lost its right since it was looked up is told so', async () => {
  const account = await makeAccount(world.database);
  await world.database.query("UPDATE access_key SET scopes = '{lineage:read}' WHERE id = $1", [
    account.key.id,
  ]);

  const { opened, opening } = openNothing(account);

  await expect(opened).rejects.toMatchObject({ code: 'insufficient_scope' });
  expect(opening.open).toHaveBeenCalledOnce();
});

it('a call that loses each race for a balance gives up after four, and says when to come back', async () => {
  const { opened, opening } = openNothing(await makeAccount(world.database));

  await expect(opened).rejects.toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } });
  expect(opening.open).toHaveBeenCalledTimes(4);
});
