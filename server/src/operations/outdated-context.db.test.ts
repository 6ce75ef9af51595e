import { describe, expect, it } from 'vitest';
import { credentialOf, makeAccount, makeListing, type TestAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { operationParts, requestFor } from '../../testing/operations/operation-parts.ts';
import { newLedgerId } from '../billing/ledger/reserve.ts';
import { type CallContext, loadCallContext } from './call-context.ts';
import type { OperationRequest } from './operation-call.ts';
import { runOperation } from './run-operation.ts';

const FREE_CALLS = 25;

const world = useOperations();

/** Reads the context of a call, and returns it with a function that runs the call later. */
async function readNow(account: TestAccount, changes: Partial<OperationRequest> = {}) {
  const parts = operationParts(world.database, { backend: world.backend });
  const request = requestFor(world.listing.repository, changes);
  const read = await loadCallContext(parts, credentialOf(account.key), request);
  return { read, run: (call: CallContext = read) => runOperation(parts, call) };
}

/** Marks the last run as not confirmed by a standby, so that a failover could still lose it. */
function unconfirmed(read: CallContext, ledgerId?: string): CallContext {
  const { lastRun } = read.caller;
  if (!lastRun) throw new Error('it has an earlier run');
  const earlier = { ...lastRun, unconfirmed: true, ledgerId: ledgerId ?? lastRun.ledgerId };
  return { ...read, caller: { ...read.caller, lastRun: earlier } };
}

describe('a call whose data changed after it was read', () => {
  it('asks for a price that no bucket can pay any more: 402', async () => {
    const account = await makeAccount(world.database);
    const { run } = await readNow(account, { dryRun: true });
    for (let call = 0; call < FREE_CALLS; call += 1) await world.run(account);

    await expect(run()).rejects.toMatchObject({ code: 'insufficient_credits' });
  });

  it('names an agent that has since been removed: 404, nothing charged', async () => {
    const account = await makeAccount(world.database);
    const listing = await makeListing(world.database);
    const { run } = await readNow(account, {
      operation: 'agent_skill_lineage',
      subject: listing.repository,
    });
    await world.database.query('DELETE FROM listing WHERE subject_id = $1', [listing.subjectId]);

    await expect(run()).rejects.toMatchObject({ code: 'subject_not_found' });
    expect(await world.totals(account)).toEqual({ runs: 0, used: 0, held: 0 });
  });
});

describe('a replay whose receipt may not be replicated yet', () => {
  it('returns the receipt once it is confirmed, with the current balance', async () => {
    const account = await makeAccount(world.database);
    await world.run(account, { idempotencyKey: 'k' });
    const { read, run } = await readNow(account, { idempotencyKey: 'k' });
    await world.run(account);

    const outcome = await run(unconfirmed(read));

    expect(outcome).toMatchObject({ kind: 'replay', run: { balance: { included_used: 2 } } });
  });

  it('is told to retry if the receipt turns out to be lost', async () => {
    const account = await makeAccount(world.database);
    await world.run(account, { idempotencyKey: 'k' });
    const { read, run } = await readNow(account, { idempotencyKey: 'k' });

    const call = run(unconfirmed(read, newLedgerId()));

    await expect(call).rejects.toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
    expect(await world.totals(account)).toMatchObject({ runs: 1 });
  });
});
