import { hash } from 'node:crypto';
import type { Credential } from '../callers/principal.ts';
import type { MeteredCall } from '../ledger/look-up.ts';
import type { Operation, PlanBook } from '../plans/plans.ts';
import { METERED_OPERATIONS } from './metered-operation.ts';

/** The request body of the metered route, validated against the contract. */
export interface OperationRequest {
  operation: Operation;
  /** As it was sent; resolved and compared without the spaces around it. */
  subject: string;
  channel: 'api';
  idempotencyKey: string;
  apiKeyId: string | null;
  dryRun: boolean;
}

/** A validated request with what the ledger needs to know of it. */
export interface OperationCall extends MeteredCall {
  request: OperationRequest;
}

/**
 * SHA-256 of the canonical JSON (keys in order, no spaces) of what makes two requests the same one: channel, operation
 * and trimmed subject.
 */
export function fingerprintOf({ channel, operation, subject }: OperationRequest): Buffer {
  return hash('sha256', JSON.stringify({ channel, operation, subject: subject.trim() }), 'buffer');
}

/** What the ledger is asked for a request: scope, price and fingerprint. */
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
