import type { Config } from '../config/load-config.ts';
import { errorCode } from '../database/database-errors.ts';
import type { HandlersOf, RequestOf } from '../http/contract/handlers-of.ts';
import type { Authentication } from '../http/credentials/authenticate-caller.ts';
import { identifyCall } from './identify-call.ts';
import { presentOperation } from './operation.presenter.ts';
import type { OperationRequest } from './operation-call.ts';
import type { RoomForCalls } from './room-for-calls.ts';
import { type OperationOutcome, type OperationParts, runOperation } from './run-operation.ts';

interface OperationHandlerParts {
  operations: OperationParts;
  authentication: Authentication;
  roomForCalls: RoomForCalls;
}

function requestOf(body: RequestOf<'runOperation'>['body']): OperationRequest {
  return {
    operation: body.operation,
    subject: body.subject,
    channel: 'api',
    idempotencyKey: body.idempotency_key,
    apiKeyId: body.api_key_id ?? null,
    dryRun: body.dry_run ?? false,
  };
}

/** What a metered call is run with, for the API and for the console; what goes wrong on the way is logged without its request. */
export function operationPartsOf(
  parts: Pick<OperationParts, 'database' | 'planBook' | 'backend' | 'naming'> & {
    config: Pick<Config, 'timings'>;
    log: { warn(fields: object, message: string): void };
  },
): OperationParts {
  const { database, planBook, backend, naming, config, log } = parts;
  return {
    database,
    planBook,
    backend,
    naming,
    timings: config.timings,
    onDoubt: (ledgerId, error) =>
      log.warn(
        { ledgerId, failure: (error as Error).name, sqlState: errorCode(error)?.code },
        'a ledger statement failed; the stored run decides',
      ),
    onScoringFailure: (ledgerId: string, failure: Error & { code: string }) =>
      log.warn(
        { ledgerId, failCode: failure.code, reason: failure.message },
        'the scoring backend gave no usable score',
      ),
  };
}

/** The metered route: translates the request, runs it, translates the outcome. */
export function createOperationHandlers({
  operations,
  authentication,
  roomForCalls,
}: OperationHandlerParts): HandlersOf<'runOperation'> {
  return {
    async runOperation(request, reply) {
      const operationRequest = requestOf(request.body);
      const outcome = await roomForCalls.take(async (): Promise<OperationOutcome> => {
        const call = await authentication.admit(request, reply, (credential) =>
          identifyCall(operations, credential, operationRequest),
        );
        return runOperation(operations, call);
      });
      const body = presentOperation(operationRequest, outcome);
      if (outcome.kind === 'settled') request.ledgerId = outcome.ledgerId;
      if (outcome.kind !== 'replay') return { status: 200, body };
      request.ledgerId = outcome.run.ledgerId;
      return { status: 200, headers: { 'Idempotent-Replayed': 'true' }, body };
    },
  };
}
