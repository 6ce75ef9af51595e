import { loadCallContext } from '../../src/operations/call-context.ts';
import type { OperationRequest } from '../../src/operations/operation-call.ts';
import {
  type OperationOutcome,
  type OperationParts,
  runOperation,
} from '../../src/operations/run-operation.ts';
import type { Credential } from '../../src/platform/http/credentials/principal.ts';

/** Runs one metered call from credential to receipt, without HTTP and its checks. */
export async function callOperation(
  parts: OperationParts,
  credential: Credential,
  request: OperationRequest,
): Promise<OperationOutcome> {
  return runOperation(parts, await loadCallContext(parts, credential, request));
}
