import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '../../src/access/plans/plans.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { setClock } from '../clock.ts';
import { credentialOf, giveCredits, makeListing } from '../factories.ts';
import { callOperation } from '../operations/call-operation.ts';
import { operationParts, requestFor } from '../operations/operation-parts.ts';
import { answer, createStandIn, refuse } from '../stand-ins/stand-in-backend.ts';
import type { FurnishedKeys } from './furnish-keys.ts';

/** Calls on each of the first twenty days of November. */
const CALLS_A_DAY = [0, 1, 2, 0, 0, 3, 1, 4, 6, 2, 0, 1, 0, 5, 9, 3, 2, 0, 4, 6];
const REPOSITORY_OPERATIONS = OPERATIONS.filter((operation) => /agent/.test(operation));
const TIMINGS = { holdMs: 20_000, attemptMs: 1000, budgetMs: 2000, retryAfterCapMs: 100, leaseMs: 3000 };

/** Creates calls over three weeks, most of them settled, one failed, and credits of every source. */
export async function furnishCalls(
  database: Database,
  accountId: string,
  { ci, laptop }: FurnishedKeys,
): Promise<{ settledId: string; failedId: string }> {
  await giveCredits(database, accountId, 300, 'gifted');
  await giveCredits(database, accountId, 500, 'purchased');
  const { repository } = await makeListing(database, { owner: 'upstream-robotics', name: 'changelog-agent' });
  const backend = createStandIn();
  const parts = operationParts(database, { backend, timings: TIMINGS });
  let made = 0;
  const call = async (key: { secret: string }) => {
    made += 1;
    const operation = REPOSITORY_OPERATIONS[made % REPOSITORY_OPERATIONS.length] ?? 'agent_score';
    const request = requestFor(repository, { operation, idempotencyKey: `call-${made}` });
    return callOperation(parts, credentialOf(key), request);
  };
  for (const [index, calls] of CALLS_A_DAY.entries()) {
    const day = `2026-11-${String(index + 1).padStart(2, '0')}`;
    for (let number = 0; number < calls; number += 1) {
      await setClock(database, `${day}T07:${String(10 + number)}:00Z`);
      await call(number % 3 === 0 ? laptop : ci);
    }
  }
  await setClock(database, '2026-11-20T08:40:00Z');
  backend.behave(refuse);
  const failed = await call(ci).catch((error) => error);
  await setClock(database, '2026-11-20T08:55:00Z');
  backend.behave(answer);
  const settled = await call(ci);
  return { settledId: idOf(settled), failedId: failed.details.ledgerId };
}

function idOf(outcome: { kind: string; ledgerId?: string }): string {
  return outcome.ledgerId ?? randomUUID();
}
