import { randomUUID } from 'node:crypto';
import type { PlanBook } from '../../src/access/plans/plans.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { DomainError } from '../../src/platform/errors/domain-error.ts';
import { credentialOf, makeListing, PLAN_BOOK } from '../factories.ts';
import { callOperation } from '../operations/call-operation.ts';
import { operationParts, requestFor } from '../operations/operation-parts.ts';
import { createStandIn, type StandInBackend } from '../stand-ins/stand-in-backend.ts';

export interface MeteredCalls {
  backend: StandInBackend;
  /** Runs one call of 10 credits. Returns the source that paid, another outcome (such as `replay`), or the error code. */
  call(key: { secret: string }, idempotencyKey?: string): Promise<string>;
}

/** Runs calls like the metered route, for a new listing. */
export async function createMeteredCalls(
  database: Database,
  planBook: PlanBook = PLAN_BOOK,
): Promise<MeteredCalls> {
  const { repository } = await makeListing(database);
  const backend = createStandIn();
  const parts = operationParts(database, {
    planBook,
    backend,
    // Time does not matter here, so timeouts must not fire on a busy machine.
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
