import { type DomainError, ERROR_STATUS, type ErrorCode } from '../../domain-error.ts';

/** Everything under this path answers failures in the metered route's shape. */
export const METERED_PREFIX = '/api/svc/';

// The directory's table (service.md 7.1) has one code per status where the metered route tells more.
const DIRECTORY_CODE: Partial<Record<ErrorCode, string>> = {
  invalid_json: 'invalid_request',
  key_expired: 'unauthorized',
  key_revoked: 'unauthorized',
  key_paused: 'unauthorized',
  insufficient_scope: 'forbidden',
  subject_not_found: 'not_found',
  uri_too_long: 'invalid_request',
};

// Two statuses of one code: a paused key is a 401 as the bearer and a 403 where `api_key_id` names it.
const METERED_CODE: Partial<Record<ErrorCode, string>> = { key_paused: 'key_inactive' };

export interface DirectoryErrorBody {
  error: string;
  message: string;
  status: number;
  candidates?: unknown;
}

export interface MeteredErrorBody {
  ok: false;
  operation: string | null;
  channel: string | null;
  error: string;
  code: string;
  ledger_id?: string;
  candidates?: unknown;
}

export function directoryErrorBody(error: DomainError): DirectoryErrorBody {
  const { candidates } = error.details;
  return {
    error: DIRECTORY_CODE[error.code] ?? error.code,
    message: error.message,
    status: ERROR_STATUS[error.code],
    ...(candidates && { candidates }),
  };
}

/** `operation` and `channel` are echoed where the request had them as readable text, else null. */
export function meteredErrorBody(error: DomainError, requestBody: unknown): MeteredErrorBody {
  const { candidates, ledgerId } = error.details;
  const code = METERED_CODE[error.code] ?? error.code;
  return {
    ok: false,
    operation: echo(requestBody, 'operation'),
    channel: echo(requestBody, 'channel'),
    // The specification wants the code itself as the sentence of this one.
    error: error.code === 'mcp_not_available' ? code : error.message,
    code,
    ...(ledgerId && { ledger_id: ledgerId }),
    ...(candidates && { candidates }),
  };
}

const ECHO_LENGTH = 64;

function echo(body: unknown, field: 'operation' | 'channel'): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const value = (body as Record<string, unknown>)[field];
  if (typeof value === 'string') return value.length <= ECHO_LENGTH && value.isWellFormed() ? value : null;
  return field === 'channel' && value === undefined ? 'api' : null;
}
