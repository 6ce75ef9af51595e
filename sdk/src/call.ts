import createClient, { type Client } from 'openapi-fetch';
import { fetchRepeatedly } from './attempts.ts';
import { withDeadline } from './deadline.ts';
import { asMembers } from './error-body.ts';
import { errorOfAnswer } from './error-of-answer.ts';
import { type CallTrace, ConfigurationError, ConnectionError } from './errors.ts';
import { rootCauseOf } from './failure.ts';
import type { paths } from './generated/schema.ts';
import { type Redact, redactKey } from './redact.ts';
import type { RetryRule } from './retry-rules.ts';
import type { CallOptions, Fetch, Settings } from './settings.ts';

/** What every request starts from. */
export interface CallInit {
  fetch: Fetch;
  headers: Record<string, string>;
  redirect: RequestRedirect;
}

/** What openapi-fetch answers. */
interface Sent<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/** A successful answer. */
export interface Answer<Body> {
  readonly body: Body;
  readonly requestId: string | null;
  readonly attempts: number;
}

/**
 * Makes one call; rejects with the errors of this package. The rule also says whether the endpoint takes the key: every
 * one but a `read` does. `expects` names a member that tells the endpoint's answer from anything else that a proxy may send
 * with a 200. A function, so that printing a client never shows its key.
 */
export type Call = <Body>(
  rule: RetryRule,
  expects: string,
  send: (http: Client<paths>, init: CallInit) => Promise<Sent<Body>>,
  options?: CallOptions,
  idempotencyKey?: string,
) => Promise<Answer<Body>>;

/** Binds calls to a client's settings. */
export function createCall(settings: Settings): Call {
  const http = createClient<paths>({ baseUrl: settings.baseUrl });
  const redact = redactKey(settings.apiKey);

  return async (rule, expects, send, options = {}, idempotencyKey: string | null = null) => {
    const trace = { attempts: 0, idempotencyKey };
    const access = accessOf(rule, settings, trace);
    const { timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries, signal } = options;

    return withDeadline(timeoutMs, signal, trace, async (deadline) => {
      let answer: Response | undefined;
      const plan = { fetch: settings.fetch, rule, maxRetries, deadline, redact, trace };
      const fetch = async (request: Request) => {
        answer = await fetchRepeatedly(plan, request);
        return answer;
      };
      const { data, error, response } = await send(http, { ...access, fetch }).catch(
        (failure): Sent<never> => {
          // After an answer only parsing can fail: a success that is no JSON.
          if (answer) return { response: answer };
          throw errorOfFailure(failure, redact, trace);
        },
      );
      if (!data || !response.ok || !asMembers(data)[expects]) {
        throw errorOfAnswer(response, error ?? data, trace);
      }
      return { body: data, requestId: response.headers.get('x-request-id'), attempts: trace.attempts };
    });
  };
}

/** The key goes to the host that it is meant for: protected on the way, and not on to wherever a redirect points. */
function accessOf(
  rule: RetryRule,
  { apiKey, keyMayTravel }: Settings,
  trace: CallTrace,
): Omit<CallInit, 'fetch'> {
  if (rule === 'read' || !apiKey) return { headers: {}, redirect: 'follow' };
  if (keyMayTravel) return { headers: { Authorization: `Bearer ${apiKey}` }, redirect: 'manual' };
  throw new ConfigurationError('The key needs https, or allowInsecure.', trace);
}

/** What it means that a call ended without an answer. */
function errorOfFailure(failure: unknown, redact: Redact, trace: CallTrace): unknown {
  // Nothing was sent: a value of the caller's that no request can be made of.
  if (trace.attempts === 0) return failure;
  const { message, code } = rootCauseOf(failure);
  return new ConnectionError(redact(`No answer: ${message}`), { ...trace, code: redact(code) });
}
