import type { HostPlace } from '../config/host-catalogue.ts';
import type { OutboundAnswer, OutboundCall } from '../outbound/guarded-client.ts';
import { OutboundFailure } from '../outbound/outbound-failure.ts';
import { type Allowance, allowanceOf, waitOf } from './allowance.ts';
import { HostFailure } from './host-failure.ts';
import type { Hosts } from './hosts.ts';

/** What a conditional request is made with: what the last full answer was marked with. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A usable answer of a host: 200, or 304 where nothing changed since. */
export interface HostAnswer {
  readonly notModified: boolean;
  readonly body: string;
  readonly validators: Validators;
  readonly allowance: Allowance;
}

export interface HostQuestion extends Pick<OutboundCall, 'method' | 'body' | 'followRename' | 'signal'> {
  readonly accept?: string;
  readonly contentType?: string;
  readonly since?: Validators;
  /** A further status with which this host says that it knows no such thing. */
  readonly alsoNotFound?: number;
}

const NOT_FOUND = new Set([404, 410, 451]);

/** Asks one path of a host's interface. Rejects with a HostFailure, or with the reason of the caller's signal. */
export async function askHost(
  hosts: Hosts,
  place: HostPlace,
  path: string,
  question: HostQuestion = {},
): Promise<HostAnswer> {
  const { accept, contentType, since, alsoNotFound, ...call } = question;
  const headers = headersOf(question, hosts.tokenOf(place.host));
  const answer = await hosts.client
    .call(`${place.url}${path}`, { ...call, headers })
    .catch((error: unknown) => {
      throw failureOf(error, place.host);
    });
  if (answer.status === alsoNotFound) throw unknownTo(place.host);
  return readAnswer(answer, place.host, since !== undefined);
}

function headersOf(
  { accept, contentType, since }: HostQuestion,
  token: string | null,
): Record<string, string> {
  return {
    accept: accept ?? 'application/json',
    ...(contentType ? { 'content-type': contentType } : {}),
    ...(since?.etag ? { 'if-none-match': since.etag } : {}),
    ...(since?.lastModified ? { 'if-modified-since': since.lastModified } : {}),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
}

function readAnswer(answer: OutboundAnswer, host: string, isConditional: boolean): HostAnswer {
  const { status, headers, body } = answer;
  if (status === 200 || (status === 304 && isConditional)) {
    const validators = { etag: header(headers.etag), lastModified: header(headers['last-modified']) };
    return { notModified: status === 304, body, validators, allowance: allowanceOf(headers) };
  }
  const wait = waitOf(status, headers);
  if (wait !== null) throw new HostFailure('limited', `${host} asks us to wait.`, wait);
  if (NOT_FOUND.has(status) && isDocument(body)) throw unknownTo(host);
  if (status >= 500 || status === 401 || status === 403 || status === 429) {
    throw new HostFailure('unavailable', `${host} does not answer at present (status ${status}).`);
  }
  throw new HostFailure(
    'unusable',
    `${host} answered in a way that it does not document (status ${status}).`,
  );
}

function unknownTo(host: string): HostFailure {
  return new HostFailure('not_found', `${host} has nothing with that name.`);
}

/** An interface says in JSON that it knows no such thing; a page says that this is no interface, or the wrong path to it. */
function isDocument(body: string): boolean {
  return /^\s*[{[]/.test(body);
}

/** Kept to be sent back, so only what a header can hold, and not without bound. */
function header(value: string | undefined): string | null {
  return value !== undefined && /^[\x20-\x7e]{1,200}$/.test(value) ? value : null;
}

function failureOf(error: unknown, host: string): unknown {
  if (!(error instanceof OutboundFailure)) return error;
  switch (error.kind) {
    case 'too_large':
      return new HostFailure('unusable', `${host} answered with more than we read.`);
    case 'redirected':
      return new HostFailure('moved', `${host} sends us to another place.`);
    case 'refused':
      return new HostFailure('unavailable', `${host} is not to be called from here.`);
    case 'timeout':
    case 'no_answer':
      return new HostFailure('unavailable', `${host} does not answer at present.`);
  }
}
