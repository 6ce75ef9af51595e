import type { Credential } from '../../src/callers/principal.ts';
import { identifyCall } from '../../src/operations/identify-call.ts';
import type { OperationRequest } from '../../src/operations/operation-call.ts';
import {
  type OperationOutcome,
  type OperationParts,
  runOperation,
} from '../../src/operations/run-operation.ts';

/** One metered call from the credential to the receipt, without HTTP and so without what http asks in between. */
export async function callOperation(
  parts: OperationParts,
  credential: Credential,
  request: OperationRequest,
): Promise<OperationOutcome> {
  return runOperation(parts, await identifyCall(parts, credential, request));
}
