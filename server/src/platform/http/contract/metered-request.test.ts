import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { DomainError } from '../../errors/domain-error.ts';
import { loadContract } from './parse-contract.ts';
import { checkMeteredRequest } from './register-contract.ts';

const { document } = loadContract();
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
ajv.addSchema(document, 'contract');
const validate = ajv.compile({ $ref: 'contract#/components/schemas/RunOperationRequest' });

const good = { operation: 'agent_score', subject: 'owner/repo', idempotency_key: 'k' };

function codeOf(body: object): string {
  validate(body);
  try {
    checkMeteredRequest(body, validate.errors ?? []);
  } catch (error) {
    return (error as DomainError).code;
  }
  return 'accepted';
}

describe('the order of the metered route’s own checks', () => {
  it.each([
    ['all is well', good, 'accepted'],
    ['a dry run', { ...good, dry_run: true }, 'accepted'],
    [
      'missing subject before the reserved channel',
      { operation: 'agent_score', channel: 'mcp', idempotency_key: 'k' },
      'invalid_request',
    ],
    ['unknown field before a wrong channel', { ...good, channel: 'web', extra: 1 }, 'invalid_request'],
    ['wrong type before a wrong operation', { ...good, operation: 'x', subject: 5 }, 'invalid_request'],
    ['operation of a wrong type', { ...good, operation: 5 }, 'invalid_request'],
    ['channel of a wrong type', { ...good, channel: 5 }, 'invalid_request'],
    [
      'wrong channel before a wrong operation',
      { ...good, channel: 'web', operation: 'x' },
      'invalid_channel',
    ],
    [
      'reserved channel before a wrong operation',
      { ...good, channel: 'mcp', operation: 'x' },
      'mcp_not_available',
    ],
    ['reserved channel', { ...good, channel: 'mcp' }, 'mcp_not_available'],
    ['wrong operation', { ...good, operation: 'x' }, 'invalid_operation'],
  ])('%s', (_what, body, code) => {
    expect(codeOf(body)).toBe(code);
  });

  it('says what is allowed', () => {
    validate({ ...good, operation: 'x' });
    expect(() => checkMeteredRequest({ ...good, channel: 'api' }, validate.errors ?? [])).toThrow(
      /must be one of: agent_score, skill_score/,
    );
  });
});
