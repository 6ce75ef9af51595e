import { expect, it, vi } from 'vitest';
import { credentialOf, makeAccount, PLAN_BOOK, type TestAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { requestFor } from '../../testing/operations/operation-parts.ts';
import { newLedgerId } from '../billing/ledger/reserve.ts';
import type { Deadline } from './deadline.ts';
import { openRunWithRetry } from './open-run-with-retry.ts';
import { describeCall } from './operation-call.ts';
import type { LedgerParts } from './refusal-checks.ts';

const world = useOperations();
const IN_TIME: Deadline = Object.assign(<Result>(work: Promise<Result>) => work, { until: Infinity });

/** Tries to open a run with a statement that never stores one, so that caller, balance and earlier runs are checked again. */
function openNothing(account: TestAccount) {
  const parts: LedgerParts = {
    database: world.database,
    planBook: PLAN_BOOK,
    onUnknownOutcome: () => undefined,
  };
  const call = describeCall(PLAN_BOOK, credentialOf(account.key), requestFor(world.listing.repository));
  const opening = { open: vi.fn(async () => null), own: async () => null };
  return { opened: openRunWithRetry(parts, call, newLedgerId(), opening, IN_TIME), opening };
}

it('a call that lost its authorization after the look-up is refused', async () => {
  const account = await makeAccount(world.database);
  await world.database.query("UPDATE access_key SET scopes = '{lineage:read}' WHERE id = $1", [
    account.key.id,
  ]);

  const { opened, opening } = openNothing(account);

  await expect(opened).rejects.toMatchObject({ code: 'insufficient_scope' });
  expect(opening.open).toHaveBeenCalledOnce();
});

it('a call that loses every race for a balance gives up after four rounds, with Retry-After', async () => {
  const { opened, opening } = openNothing(await makeAccount(world.database));

  await expect(opened).rejects.toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } });
  expect(opening.open).toHaveBeenCalledTimes(4);
});
