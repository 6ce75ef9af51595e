import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from '../../errors/domain-error.ts';
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
  /** Counts a rejected credential against the client's address. Throws rate_limited. Optional. */
  countFailedCredential?(failure: Omit<Failure, 'words'>, reply: FastifyReply): Promise<void>;
  /** True if a 401 names the HTTP scheme for authentication. A session is no such scheme. */
  challenges?: boolean;
}

/**
 * Sends the response to any failure. Only this function decides the response's status, headers, code and text, and
 * what is logged. `form` formats the result.
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
