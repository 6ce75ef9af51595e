import type { FastifySchemaValidationError } from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import { isWellFormedSecret } from '../credentials/secret.ts';
import { describeViolation, describeViolations } from './describe-violations.ts';

const isEnumOf = (place: string) => (error: FastifySchemaValidationError) =>
  error.instancePath === place && error.keyword === 'enum';
const isChannel = isEnumOf('/channel');
const isOperation = isEnumOf('/operation');

/**
 * Checks a metered request in the specified order: required fields, types and unknown fields, then the channel (`mcp`
 * is reserved), then the operation. Throws invalid_request, invalid_channel, mcp_not_available, invalid_operation.
 */
export function checkMeteredRequest(
  body: { channel?: unknown; idempotency_key?: unknown },
  violations: FastifySchemaValidationError[],
): void {
  const shape = violations.filter((error) => !isChannel(error) && !isOperation(error));
  if (shape.length > 0) throw new DomainError('invalid_request', describeViolations(shape));
  if (isWellFormedSecret(`${body.idempotency_key}`)) {
    // The idempotency key is stored with the run and shown in receipts forever.
    throw new DomainError(
      'invalid_request',
      'idempotency_key is an access key, which must stay secret. Use a random UUID.',
    );
  }
  const channel = violations.find(isChannel);
  if (channel) throw new DomainError('invalid_channel', describeViolation(channel));
  if (body.channel === 'mcp') throw new DomainError('mcp_not_available', 'mcp_not_available');
  const operation = violations.find(isOperation);
  if (operation) throw new DomainError('invalid_operation', describeViolation(operation));
}
