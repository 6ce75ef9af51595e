import { type DomainError, ERROR_STATUS, type ErrorCode } from '../../errors/domain-error.ts';
import { addressKey } from '../limits/forwarded-addresses.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { FailureFormat } from './send-failure.ts';

/** Path prefix below which failures have the shape of the metered route. */
export const METERED_PREFIX = '/api/svc/';

// Directory routes have one code per status. The metered route has more codes.
const DIRECTORY_CODE: Partial<Record<ErrorCode, string>> = {
  invalid_json: 'invalid_request',
  key_expired: 'unauthorized',
  key_revoked: 'unauthorized',
  key_paused: 'unauthorized',
  insufficient_scope: 'forbidden',
  subject_not_found: 'not_found',
  uri_too_long: 'invalid_request',
};

// One code with two statuses: a paused key is a 401 as bearer token, and a 403 as `api_key_id`.
const METERED_CODE: Partial<Record<ErrorCode, string>> = { key_paused: 'key_inactive' };

export interface DirectoryErrorBody {
  error: string;
  message: string;
  status: number;
  candidates?: unknown;
  snapshot?: string;
  cursor?: string;
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
  const { candidates, restart } = error.details;
  return {
    error: DIRECTORY_CODE[error.code] ?? error.code,
    message: error.message,
    status: ERROR_STATUS[error.code],
    ...(candidates && { candidates }),
    ...restart,
  };
}

/**
 * Builds the body of a failed metered call. Repeats `operation` and `channel` if the request contains them as readable
 * text; otherwise they are null.
 */
export function meteredErrorBody(error: DomainError, requestBody: unknown): MeteredErrorBody {
  const { candidates, ledgerId } = error.details;
  const code = METERED_CODE[error.code] ?? error.code;
  return {
    ok: false,
    operation: echo(requestBody, 'operation'),
    channel: echo(requestBody, 'channel'),
    // The specification requires the code itself as the message of this error.
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

/** Formats failures of the API in the shape of their route. Counts each 401 against the client's address. */
export function failureAsJson(rateLimits: Pick<RateLimits, 'countFailedCredential'>): FailureFormat {
  return {
    challenges: true,
    show({ error, request }) {
      const isMetered = (request.routeOptions.url ?? request.url).startsWith(METERED_PREFIX);
      const body = isMetered ? meteredErrorBody(error, request.body) : directoryErrorBody(error);
      return { type: 'application/json; charset=utf-8', body };
    },
    async countFailedCredential({ error, request }, reply) {
      // Valid credentials are never counted, so that a client which guesses does not block other clients at its
      // address.
      if (error.status === 401) await rateLimits.countFailedCredential(addressKey(request), reply);
    },
  };
}
