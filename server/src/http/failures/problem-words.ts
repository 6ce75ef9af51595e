import type { FastifyRequest } from 'fastify';
import type { DomainError } from '../../domain-error.ts';

/**
 * What a page says of a failure: the words of the API, but for a failure nobody foresaw, whose request id a browser shows
 * nowhere else, for a form that is too long, and for too many requests. Somebody who sent a form too often is told how its
 * content is kept: the browser has it, this server has not read it.
 */
export function problemWords(
  error: DomainError,
  { method, id }: Pick<FastifyRequest, 'method' | 'id'>,
): string {
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
