import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/connect.ts';
import type { OperationRequest } from '../../src/operations/operation-call.ts';
import type { OperationParts } from '../../src/operations/run-operation.ts';
import { createNaming } from '../../src/subjects/naming.ts';
import { PLAN_BOOK } from '../factories.ts';
import { createStandIn } from '../stand-ins/stand-in-backend.ts';

/** The parts of a metered call without HTTP, with limits that tests can wait for. */
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

/** What a caller asks for: the score of this agent, with a key of its own, unless `changes` say otherwise. */
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
