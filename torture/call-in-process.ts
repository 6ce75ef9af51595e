import type { Database } from '../server/src/database/connect.ts';
import { DomainError } from '../server/src/domain-error.ts';
import type { OperationOutcome, OperationParts } from '../server/src/operations/run-operation.ts';
import type { PlanBook } from '../server/src/plans/plans.ts';
import { createNaming } from '../server/src/subjects/naming.ts';
import { credentialOf, PLAN_BOOK } from '../server/testing/factories.ts';
import { callOperation } from '../server/testing/operations/call-operation.ts';
import { createStandIn } from '../server/testing/stand-ins/stand-in-backend.ts';
import type { MeteredCall } from './metered-client.ts';

/** The metered operation without HTTP: its parts, with limits that experiments can wait for. */
export function operationParts(database: Database, changes: Partial<OperationParts> = {}): OperationParts {
  return {
    database,
    planBook: PLAN_BOOK,
    backend: createStandIn(),
    naming: createNaming('http://127.0.0.1:4000'),
    timings: { holdMs: 20_000, attemptMs: 1_000, budgetMs: 2_000, retryAfterCapMs: 50, leaseMs: 60_000 },
    onDoubt: () => undefined,
    onScoringFailure: () => undefined,
    ...changes,
  };
}

/** One metered call with an access key, from the credential to the receipt. */
export function callInProcess(parts: OperationParts, call: MeteredCall): Promise<OperationOutcome> {
  return callOperation(parts, credentialOf(call), {
    operation: (call.operation ?? 'agent_score') as 'agent_score',
    subject: call.subject,
    channel: 'api',
    idempotencyKey: call.idempotencyKey,
    apiKeyId: null,
    dryRun: false,
  });
}

/** What a call came to, in one word: `settled`, `replay`, or the code of its refusal. Other errors are thrown. */
export function wordOf(call: Promise<OperationOutcome>): Promise<string> {
  return call.then(
    ({ kind }) => kind,
    (error) => (error instanceof DomainError ? error.code : Promise.reject(error)),
  );
}

/** The project's plans, with another number of free calls on the free plan. */
export function planBookWith(freeCalls: number): PlanBook {
  const { free } = PLAN_BOOK.plans;
  if (!free) throw new Error('there is no free plan');
  return { ...PLAN_BOOK, plans: { ...PLAN_BOOK.plans, free: { ...free, freeCalls } } };
}
