import type { HostRequest, HostResponse, RateLimit, Validators } from './request-host.ts';

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
