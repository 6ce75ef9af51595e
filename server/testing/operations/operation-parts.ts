import { randomUUID } from 'node:crypto';
import { createPublicUrls } from '../../src/catalog/subjects/public-path.ts';
import type { OperationRequest } from '../../src/operations/operation-call.ts';
import type { OperationParts } from '../../src/operations/run-operation.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { PLAN_BOOK } from '../factories.ts';
import { createStandIn } from '../stand-ins/stand-in-backend.ts';

/** Creates the dependencies of metered calls without HTTP, with timeouts short enough for tests. */
export function operationParts(database: Database, changes: Partial<OperationParts> = {}): OperationParts {
  return {
    database,
    planBook: PLAN_BOOK,
    backend: createStandIn(),
    publicUrls: createPublicUrls('http://127.0.0.1:4000'),
    signer: null,
    timings: { holdMs: 20_000, attemptMs: 1_000, budgetMs: 2_000, retryAfterCapMs: 50, leaseMs: 60_000 },
    onUnknownOutcome: () => undefined,
    onScoringFailure: () => undefined,
    ...changes,
  };
}

/** Builds a request for the score of this agent, with a new idempotency key, unless `changes` say otherwise. */
export function requestFor(subject: string, changes: Partial<OperationRequest> = {}): OperationRequest {
  return {
    operation: 'agent_score',
    subject,
    channel: 'api',
    idempotencyKey: randomUUID(),
    apiKeyId: null,
    dryRun: false,
    ...changes,
  };
}
