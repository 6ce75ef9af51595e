import type { PlanBook } from '../server/src/access/plans/plans.ts';
import type { OperationOutcome, OperationParts } from '../server/src/operations/run-operation.ts';
import { isDatabaseUnavailable } from '../server/src/platform/database/database-errors.ts';
import { DomainError } from '../server/src/platform/errors/domain-error.ts';
import { credentialOf, PLAN_BOOK } from '../server/testing/factories.ts';
import { callOperation } from '../server/testing/operations/call-operation.ts';
import { requestFor } from '../server/testing/operations/operation-parts.ts';
import type { MeteredCall } from './metered-client.ts';

/** Runs one metered call with an access key, from the credential to the receipt. */
export function callInProcess(parts: OperationParts, call: MeteredCall): Promise<OperationOutcome> {
  const { operation = 'agent_score', subject, idempotencyKey } = call;
  const changes = { operation: operation as 'agent_score', idempotencyKey };
  return callOperation(parts, credentialOf(call), requestFor(subject, changes));
}

/**
 * Returns the outcome of a call: `settled`, `replay`, or the error code that its answer has over HTTP. A database
 * session that was cut may be taken from the pool before its end is noticed; the read that then fails is `unavailable`, as
 * over HTTP. Rethrows other errors without a code.
 */
export function wordOf(call: Promise<OperationOutcome>): Promise<string> {
  return call.then(
    ({ kind }) => kind,
    (error) => {
      if (error instanceof DomainError) return error.code;
      if (isDatabaseUnavailable(error)) return 'unavailable';
      throw error;
    },
  );
}

/** Returns the built-in plans with a different number of free calls on the free plan. */
export function planBookWith(freeCalls: number): PlanBook {
  const { free } = PLAN_BOOK.plans;
  if (!free) throw new Error('there is no free plan');
  return { ...PLAN_BOOK, plans: { ...PLAN_BOOK.plans, free: { ...free, freeCalls } } };
}
