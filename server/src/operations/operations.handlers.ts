import type { Config } from '../config/load-config.ts';
import type { Database } from '../database/connect.ts';
import { errorCode } from '../database/database-errors.ts';
import type { HandlersOf, RequestOf } from '../http/contract/handlers-of.ts';
import type { Authentication } from '../http/credentials/authenticate-caller.ts';
import type { PlanBook } from '../plans/plans.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import type { Naming } from '../subjects/naming.ts';
import { identifyCall } from './identify-call.ts';
import { presentOperation } from './operation.presenter.ts';
import type { OperationRequest } from './operation-call.ts';
import { type OperationParts, runOperation } from './run-operation.ts';

export interface OperationHandlerParts {
  config: Config;
  log: { warn(fields: object, message: string): void };
  database: Database;
  planBook: PlanBook;
  backend: ScoringBackend;
  naming: Naming;
  authentication: Authentication;
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

/** The metered route: translates the request, runs it, translates the outcome. */
export function createOperationHandlers(parts: OperationHandlerParts): HandlersOf<'runOperation'> {
  const { database, planBook, backend, naming, authentication, config, log } = parts;
  const operationParts: OperationParts = {
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
  return {
    async runOperation(request, reply) {
      const operationRequest = requestOf(request.body);
      const call = await authentication.admit(request, reply, (credential) =>
        identifyCall(operationParts, credential, operationRequest),
      );
      const outcome = await runOperation(operationParts, call);
      const body = presentOperation(operationRequest, outcome);
      if (outcome.kind === 'settled') request.ledgerId = outcome.ledgerId;
      if (outcome.kind !== 'replay') return { status: 200, body };
      request.ledgerId = outcome.run.ledgerId;
      return { status: 200, headers: { 'Idempotent-Replayed': 'true' }, body };
    },
  };
}
