import type { HostEndpoint } from '../platform/config/known-hosts.ts';
import type { GuardedClient, OutboundAnswer, OutboundCall } from './client/guarded-client.ts';
import { OutboundFailure } from './client/read-response.ts';
import type { Hosts } from './create-hosts.ts';
import { HostFailure } from './host-account.ts';

/** Validators of the last full answer, for conditional requests. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Usable answer of a host: 200, or 304 if nothing has changed. */
export interface HostResponse {
  readonly notModified: boolean;
  readonly body: string;
  readonly validators: Validators;
  readonly rateLimit: RateLimit;
  /**
   * Total number of items in the requested list; null if the host does not state it. GitHub states only the number of
   * pages, so a list that is counted is requested with one item per page.
   */
  readonly total: number | null;
}

export interface HostRequest
  extends Pick<
    OutboundCall,
    'method' | 'body' | 'followRename' | 'signal' | 'timeoutMs' | 'maxBytes' | 'take'
  > {
  readonly accept?: string;
  readonly contentType?: string;
  readonly since?: Validators;
  /** Client for domains that are not among the known hosts. It sends none of the operator's tokens. */
  readonly client?: GuardedClient;
  /**
   * Status that means "not found" in this request, whatever the body is. The statuses 404, 410 and 451 mean it only
   * with a JSON body.
   */
  readonly alsoNotFound?: number;
}

/** Thrown if an answer exceeds the size limit of its request, so that a reader can request a shorter form. */
export class AnswerTooLarge extends HostFailure {}

const NOT_FOUND = new Set([404, 410, 451]);

/**
 * Sends a request to one path of a host's API. A failure rejects with a HostFailure; an abort rejects with the reason
 * of the caller's signal.
 */
export async function requestHost(
  hosts: Hosts,
  endpoint: Pick<HostEndpoint, 'host' | 'url'>,
  path: string,
  question: HostRequest = {},
): Promise<HostResponse> {
  const { accept, contentType, since, alsoNotFound, client, ...call } = question;
  const headers = headersOf(question, client ? null : hosts.tokenOf(endpoint.host));
  const answer = await (client ?? hosts.client)
    .call(`${endpoint.url}${path}`, { ...call, headers })
    .catch((error: unknown) => {
      throw failureOf(error, endpoint.host);
    });
  const isLimit = retryDelayOf(answer.status, answer.headers) !== null;
  if (answer.status === alsoNotFound && !isLimit) throw notFoundOn(endpoint.host);
  return readAnswer(answer, endpoint.host, since !== undefined);
}

function headersOf(
  { accept, contentType, since }: HostRequest,
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

function readAnswer(answer: OutboundAnswer, host: string, isConditional: boolean): HostResponse {
  const { status, headers, body } = answer;
  if (status === 200 || (status === 304 && isConditional)) {
    const validators = { etag: header(headers.etag), lastModified: header(headers['last-modified']) };
    const total = totalOf(headers);
    return { notModified: status === 304, body, validators, rateLimit: rateLimitOf(headers), total };
  }
  const wait = retryDelayOf(status, headers);
  if (wait !== null) throw new HostFailure('limited', `${host} limits our requests.`, wait);
  if (NOT_FOUND.has(status) && isDocument(body)) throw notFoundOn(host);
  if (status >= 500 || status === 401 || status === 403 || status === 429) {
    throw new HostFailure('unavailable', `${host} is not responding (status ${status}).`);
  }
  throw new HostFailure('unusable', `${host} gave an undocumented answer (status ${status}).`);
}

function notFoundOn(host: string): HostFailure {
  return new HostFailure('not_found', `${host} has no entry with that name.`);
}

/**
 * Returns true if the body begins like JSON, as the answer of an API does. A web page means a wrong path, or a server
 * without an API.
 */
function isDocument(body: string): boolean {
  return /^\s*[{[]/.test(body);
}

/**
 * Returns a validator of at most 200 printable ASCII characters, which can be sent back in a header; otherwise null.
 */
function header(value: string | undefined): string | null {
  return value !== undefined && /^[\x20-\x7e]{1,200}$/.test(value) ? value : null;
}

function failureOf(error: unknown, host: string): unknown {
  if (!(error instanceof OutboundFailure)) return error;
  switch (error.kind) {
    case 'too_large':
      return new AnswerTooLarge('unusable', `${host} sent an answer that is too large.`);
    case 'redirected':
      return new HostFailure('moved', `${host} redirects to another address.`);
    case 'refused':
      return new HostFailure('unavailable', `${host} must not be called from this server.`);
    case 'timeout':
    case 'no_answer':
      return new HostFailure('unavailable', `${host} is not responding.`);
  }
}

/** Remaining requests according to the host's last answer; null if the answer did not say. */
export interface RateLimit {
  readonly remaining: number | null;
  /** Seconds until the limit resets. */
  readonly resetSeconds: number | null;
}

type Headers = Readonly<Record<string, string>>;

/** Maximum delay before the next request, even if a host asks for a longer one. */
const MAX_WAIT_SECONDS = 86_400;
/** Delay if a host limits our requests without naming a delay. */
const DEFAULT_WAIT_SECONDS = 60;

/**
 * Reads the rate limit headers of GitHub (`x-ratelimit-*`) and GitLab (`ratelimit-*`). The reset times are Unix times
 * in seconds.
 */
function rateLimitOf(headers: Headers): RateLimit {
  const remaining = whole(headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']);
  const reset = whole(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  return { remaining, resetSeconds: reset === null ? null : bounded(reset - nowOf(headers)) };
}

/**
 * Returns the delay in seconds that a host requests, or a default; null if the answer is not a rate limit. A 403 is a
 * rate limit only if its headers say so.
 */
function retryDelayOf(status: number, headers: Headers): number | null {
  const { remaining, resetSeconds } = rateLimitOf(headers);
  const retryAfter = retryAfterOf(headers);
  const isLimit = status === 429 || (status === 403 && (remaining === 0 || retryAfter !== null));
  if (!isLimit) return null;
  return retryAfter ?? (remaining === 0 ? resetSeconds : null) ?? DEFAULT_WAIT_SECONDS;
}

function retryAfterOf(headers: Headers): number | null {
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const seconds = whole(text);
  if (seconds !== null) return bounded(seconds);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : bounded(moment / 1_000 - nowOf(headers));
}

/**
 * Returns the host's own time in seconds, so that a wrong local clock causes no wrong delay. Without one, returns the
 * local time.
 */
function nowOf(headers: Headers): number {
  const hostTime = Date.parse(headers.date ?? '');
  return (Number.isNaN(hostTime) ? Date.now() : hostTime) / 1_000;
}

function bounded(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS);
}

/**
 * Reads the total of a list: `x-total-count` (Forgejo), `x-total` (GitLab), or the page of the link to the last page
 * (GitHub, `Link: <…&page=34>; rel="last"`).
 */
function totalOf(headers: Headers): number | null {
  const stated = whole(headers['x-total-count'] ?? headers['x-total']);
  if (stated !== null) return stated;
  const last = (headers.link ?? '').split(',').find((part) => /;\s*rel="?last"?/.test(part));
  const address = last?.slice(last.indexOf('<') + 1, last.indexOf('>')) ?? '';
  return URL.canParse(address) ? whole(new URL(address).searchParams.get('page') ?? undefined) : null;
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : null;
}

/** Parsed answers of the last reading by path, with their validators (ETag, Last-Modified). Stored as JSON. */
export type AnswerMemory = Readonly<Record<string, Validators & { readonly value: unknown }>>;

/**
 * Sends a conditional request and parses the answer. If the host answers that nothing has changed, returns the value of
 * the last reading. Throws HostFailure `not_found` if nothing exists at the path.
 */
export type AskHost = <Value>(
  path: string,
  parse: (answer: HostResponse) => Value,
  options?: Pick<HostRequest, 'accept' | 'alsoNotFound'>,
) => Promise<Value>;

/** A series of conditional requests to one host, and the answers to store for the next reading. */
export interface ConditionalRequests {
  readonly ask: AskHost;
  /** Returns the answers that have validators, the number of requests, and the rate limit after the last request. */
  result(): { memory: AnswerMemory; requests: number; rateLimit: RateLimit };
}

/** Creates a series of conditional requests. `send` sends them; `memory` has the answers of the last reading. */
export function conditionalRequests(
  send: (path: string, request: HostRequest) => Promise<HostResponse>,
  memory: AnswerMemory,
): ConditionalRequests {
  const seen: Record<string, Validators & { value: unknown }> = {};
  let requests = 0;
  let rateLimit: RateLimit = { remaining: null, resetSeconds: null };
  return {
    async ask(path, parse, options = {}) {
      const before = memory[path];
      const since = before && { etag: before.etag, lastModified: before.lastModified };
      requests += 1;
      const answer = await send(path, { ...options, followRename: true, ...(since ? { since } : {}) });
      rateLimit = answer.rateLimit;
      const isSame = answer.notModified && before !== undefined;
      const value = isSame ? (before.value as ReturnType<typeof parse>) : parse(answer);
      const { etag, lastModified } = isSame ? before : answer.validators;
      if (etag !== null || lastModified !== null) seen[path] = { etag, lastModified, value };
      return value;
    },
    result: () => ({ memory: seen, requests, rateLimit }),
  };
}
