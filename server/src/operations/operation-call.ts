import { hash } from 'node:crypto';
import type { Operation, PlanBook } from '../access/plans/plans.ts';
import type { MeteredCall } from '../billing/ledger/billing-context.ts';
import type { Credential } from '../platform/http/credentials/principal.ts';
import { REPOSITORY_TYPES, type SubjectType } from '../scoring/subject-type.ts';

/** Required scope and possible subject types of a metered operation. */
interface MeteredOperation {
  readonly scope: string;
  /** Subject types that the operation accepts; their scores need the same facts. */
  readonly subjectTypes: readonly [SubjectType, ...SubjectType[]];
  /** True if the result has a lineage report: the subject's creator, parent and children. */
  readonly lineage: boolean;
}

function scoreOf(type: SubjectType): MeteredOperation {
  return { scope: 'scores:read', subjectTypes: [type], lineage: false };
}

/** Defines the six metered operations. */
export const METERED_OPERATIONS: Readonly<Record<Operation, MeteredOperation>> = {
  agent_score: scoreOf('agent'),
  skill_score: scoreOf('skill'),
  creator_score: scoreOf('creator'),
  social_account_score: scoreOf('social_account'),
  messenger_account_score: scoreOf('messaging_account'),
  agent_skill_lineage: {
    scope: 'lineage:read',
    subjectTypes: REPOSITORY_TYPES,
    lineage: true,
  },
};

/** Request body of the metered route, validated against the contract. */
export interface OperationRequest {
  operation: Operation;
  /** Subject as sent; trimmed before it is resolved or compared. */
  subject: string;
  channel: 'api';
  idempotencyKey: string;
  apiKeyId: string | null;
  dryRun: boolean;
}

/** A validated request with the data that the ledger needs: credential, scope, price and fingerprint. */
export interface OperationCall extends MeteredCall {
  request: OperationRequest;
}

/**
 * Returns the SHA-256 of the canonical JSON (keys in order, no spaces) of channel, operation and trimmed subject.
 * Requests with the same idempotency key must have the same fingerprint.
 */
export function fingerprintOf({ channel, operation, subject }: OperationRequest): Buffer {
  return hash('sha256', JSON.stringify({ channel, operation, subject: subject.trim() }), 'buffer');
}

/** Adds the data that the ledger needs to a request. */
export function describeCall(
  planBook: PlanBook,
  credential: Credential,
  request: OperationRequest,
): OperationCall {
  return {
    request,
    credential,
    namedKeyId: request.apiKeyId?.toLowerCase() ?? null,
    scope: METERED_OPERATIONS[request.operation].scope,
    idempotencyKey: request.idempotencyKey,
    fingerprint: fingerprintOf(request),
    priceCredits: planBook.prices[request.operation],
  };
}
