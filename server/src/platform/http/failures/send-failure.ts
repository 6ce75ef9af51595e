import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DomainError, ERROR_STATUS, type ErrorCode } from '../../errors/domain-error.ts';
import { addressKey } from '../limits/limit-requests.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { mapAndLogFailure, toDomainError } from './map-failure.ts';

/** Failure to show to the client. */
interface Failure {
  error: DomainError;
  request: FastifyRequest;
  /** Text for a person. Programs receive the error's own message. */
  words: string;
}

/** Failure as a body of some type, or as a redirect to a page. */
type ShownFailure =
  | { type: string; body: string | object; headers?: Readonly<Record<string, string>> }
  | { redirectTo: string };

/** Format of failures in one part of the server: JSON, public pages or console pages. */
export interface FailureFormat {
  show(failure: Failure): ShownFailure;
  /**
   * Called for every failure. Counts a rejected credential against the client's address, and throws rate_limited if the
   * address has too many.
   */
  countFailedCredential?(failure: Omit<Failure, 'words'>, reply: FastifyReply): Promise<void>;
  /**
   * True if a 401 response names the HTTP scheme `Bearer` (WWW-Authenticate). Pages do not, because a session is no
   * such scheme.
   */
  challenges?: boolean;
}

/**
 * Sends the response to a failure, except for requests that `raw-errors.ts` or `shed-load.ts` answers before any hook.
 * Decides the status, the common headers and what is logged; `form` formats the body.
 */
export async function sendFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  form: FailureFormat,
): Promise<FastifyReply> {
  let error = mapAndLogFailure(request, thrown);
  await form.countFailedCredential?.({ error, request }, reply).catch((limited: unknown) => {
    error = toDomainError(limited);
  });
  const { allow, ledgerId, retryAfterSeconds } = error.details;
  request.errorCode = error.code;
  request.ledgerId ??= ledgerId ?? null;
  reply.code(error.status).header('Cache-Control', 'no-store');
  if (retryAfterSeconds) reply.header('Retry-After', retryAfterSeconds);
  if (allow) reply.header('Allow', allow.join(', '));
  const takesKey = request.routeOptions.config.schemes?.includes('accessKey') ?? true;
  if (form.challenges && error.status === 401 && takesKey) reply.header('WWW-Authenticate', 'Bearer');
  const shown = form.show({ error, request, words: failureText(error, request) });
  if ('redirectTo' in shown) return reply.redirect(shown.redirectTo, 303);
  return reply
    .headers(shown.headers ?? {})
    .type(shown.type)
    .send(shown.body);
}

/**
 * Returns the text that a page shows for a failure. This is the API's message, except for unexpected failures (the
 * text has the request id), forms that are too long, and too many requests. After a rate-limited form, the text
 * explains that the browser still has the content, because the server has not read it.
 */
function failureText(error: DomainError, { method, id }: Pick<FastifyRequest, 'method' | 'id'>): string {
  if (error.code === 'internal_error') {
    return `Something went wrong on our side. Try again. If it happens again, contact support with this id: ${id}.`;
  }
  if (error.code === 'payload_too_large') {
    return 'Your form is larger than the 16 KiB that this page accepts. Go back, shorten it, and send it again.';
  }
  if (error.code !== 'rate_limited') return error.message;
  const { retryAfterSeconds: seconds = 60 } = error.details;
  const wait = `Wait ${seconds === 1 ? 'a second' : `${seconds} seconds`}, then reload this page`;
  if (method !== 'POST') return `You have sent too many requests. ${wait}.`;
  return `You have sent too many requests, so your form was not accepted. ${wait}: your browser asks whether to send the form again, with all that you typed.`;
}

/** Path prefix below which failures have the shape of the metered route. */
export const METERED_PREFIX = '/api/svc/';

// All routes except the metered one report these errors under a more general code.
const DIRECTORY_CODE: Partial<Record<ErrorCode, string>> = {
  invalid_json: 'invalid_request',
  key_expired: 'unauthorized',
  key_revoked: 'unauthorized',
  key_paused: 'unauthorized',
  insufficient_scope: 'forbidden',
  subject_not_found: 'not_found',
  uri_too_long: 'invalid_request',
};

// The metered route uses the code `key_inactive` with two statuses: 401 if the bearer token is a paused key or its
// account is suspended, and 403 for a paused key as `api_key_id`.
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
 * Builds the body of a failed metered call. It repeats `operation` and `channel` of the request if they are well-formed
 * texts of at most 64 characters; otherwise these fields are null. A missing channel means `api`.
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
