import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/connect.ts';
import { DomainError } from '../../src/domain-error.ts';
import type { PlanBook } from '../../src/plans/plans.ts';
import { credentialOf, makeListing, PLAN_BOOK } from '../factories.ts';
import { callOperation } from '../operations/call-operation.ts';
import { operationParts, requestFor } from '../operations/operation-parts.ts';
import { createStandIn, type StandInBackend } from '../stand-ins/stand-in-backend.ts';

export interface MeteredCalls {
  backend: StandInBackend;
  /** Makes one call of 10 credits and answers the source that paid, or the code of its refusal. */
  call(key: { secret: string }, idempotencyKey?: string): Promise<string>;
}

/** Calls as the metered route makes them, on a listing of their own. */
export async function createMeteredCalls(
  database: Database,
  planBook: PlanBook = PLAN_BOOK,
): Promise<MeteredCalls> {
  const { repository } = await makeListing(database);
  const backend = createStandIn();
  const parts = operationParts(database, {
    planBook,
    backend,
    // Nothing here is about time, so nothing may run out of it on a busy machine.
    timings: { holdMs: 20_000, attemptMs: 20_000, budgetMs: 45_000, retryAfterCapMs: 100, leaseMs: 60_000 },
  });
  return {
    backend,
    async call(key, idempotencyKey = randomUUID()) {
      return callOperation(parts, credentialOf(key), requestFor(repository, { idempotencyKey })).then(
        (outcome) => (outcome.kind === 'settled' ? outcome.source : outcome.kind),
        (error) => (error instanceof DomainError ? error.code : Promise.reject(error)),
      );
    },
  };
}
