import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../../testing/every-row.ts';
import { DomainError, ERROR_STATUS, type ErrorCode } from '../../errors/domain-error.ts';
import { loadContract } from '../contract/parse-contract.ts';
import { directoryErrorBody, meteredErrorBody } from './send-failure.ts';

interface Schemas {
  components: { schemas: Record<string, { enum: string[] }> };
}

const { schemas } = (loadContract().document as unknown as Schemas).components;
const directoryCodes = schemas.DirectoryErrorCode?.enum ?? [];
const meteredCodes = schemas.OperationErrorCode?.enum ?? [];
const catalogue = Object.keys(ERROR_STATUS) as ErrorCode[];

describe('the error catalogue and the contract', () => {
  it('documents every code for the routes that can answer it', async () => {
    const check = (code: ErrorCode) => {
      const error = new DomainError(code, 'a sentence');

      const asDirectory = directoryErrorBody(error).error;
      const asMetered = meteredErrorBody(error, {}).code;

      expect(directoryCodes.includes(asDirectory) || meteredCodes.includes(asMetered)).toBe(true);
    };

    await expectEveryRow(catalogue, String, check);
  });

  it('every documented code is in the catalogue', () => {
    const answered = new Set(
      catalogue.flatMap((code) => {
        const error = new DomainError(code, 'a sentence');
        return [directoryErrorBody(error).error, meteredErrorBody(error, {}).code];
      }),
    );

    expect([...directoryCodes, ...meteredCodes].filter((code) => !answered.has(code))).toEqual([]);
  });

  it('the directory tells no more of a credential than the specified code', () => {
    for (const code of ['key_expired', 'key_revoked', 'key_paused'] as const) {
      expect(directoryErrorBody(new DomainError(code, 'why'))).toEqual({
        error: 'unauthorized',
        message: 'why',
        status: 401,
      });
    }
  });
});

describe('the metered route’s failure body', () => {
  const error = new DomainError('invalid_request', 'a sentence');

  it.each([
    [{ operation: 'agent_score', channel: 'api' }, 'agent_score', 'api'],
    [{ operation: 'agent_score' }, 'agent_score', 'api'],
    [{ operation: 5, channel: 'mcp' }, null, 'mcp'],
    [{ operation: 'x'.repeat(65), channel: null }, null, null],
    [{ operation: '\ud800' }, null, 'api'],
    [undefined, null, null],
    [[], null, null],
    ['text', null, null],
  ])('echoes of %j what was readable', (body, operation, channel) => {
    expect(meteredErrorBody(error, body)).toMatchObject({ ok: false, operation, channel });
  });

  it('of the reserved channel is the code in both fields', () => {
    const body = meteredErrorBody(new DomainError('mcp_not_available', 'mcp_not_available'), {
      channel: 'mcp',
    });
    expect(body).toMatchObject({ error: 'mcp_not_available', code: 'mcp_not_available' });
  });
});
