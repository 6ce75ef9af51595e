import { type Exchange, fetchRepeatedly } from './attempts.ts';
import { withDeadline } from './deadline.ts';
import { ConfigurationError, type Trace, traceOf } from './errors.ts';
import type { CallOptions, MockAnswer, Settings } from './settings.ts';

/** What is sent, and sent again if need be. */
export interface Message {
  readonly method: string;
  readonly url: string;
  /** By lower-case names. */
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/**
 * Sends one message of the contract as one logical request: with the key where the endpoint takes it, repeated where that
 * is safe, within one deadline. Answers whatever the service said; rejects only with errors of this package, and with what
 * a hook throws.
 */
export type Send = (message: Message, options?: CallOptions, trace?: Trace) => Promise<Exchange>;

/** Endpoints that take a key. All others are public, or take only a session of the console. */
const TAKES_KEY = /\/api\/(agents\/register$|svc|receipts)/;

/** Binds sending to a client's settings. A function, so that printing a client never shows its key. */
export function createSend(settings: Settings): Send {
  const { apiKey, keyMayTravel, logger } = settings;
  const redact = (text: string) => (apiKey ? text.replaceAll(apiKey, '[key]') : text);

  return async ({ url, headers: given, ...message }, options = {}, trace = traceOf()) => {
    const {
      timeoutMs = settings.timeoutMs,
      maxRetries = settings.maxRetries,
      mock = settings.mock,
    } = options;
    const call = `${message.method} ${url}`;
    const takesKey = apiKey !== '' && TAKES_KEY.test(call);
    if (takesKey && !keyMayTravel)
      throw new ConfigurationError('apiKey needs https, or allowInsecure.', trace);
    const headers = {
      ...given,
      ...(takesKey && { authorization: `Bearer ${apiKey}` }),
      ...preferenceFor(mock),
    };
    // The key goes to the host that it is meant for, and not on to wherever a redirect points.
    const redirect: RequestRedirect = takesKey ? 'manual' : 'follow';
    const note = (event: unknown) => logger?.debug(redact(`${call} #${trace.attempts}: ${event}`));
    const endsAt = performance.now() + timeoutMs;
    return withDeadline(timeoutMs, options.signal, trace, (signal) => {
      const init = { ...message, headers, redirect, signal };
      return fetchRepeatedly({ ...settings, maxRetries, url, init, endsAt, trace, redact, note });
    });
  };
}

/** The header that asks the mock for one answer. */
function preferenceFor(mock: MockAnswer = {}): { prefer?: string } {
  const wishes = Object.entries(mock).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${value}`,
  );
  return wishes.length > 0 ? { prefer: wishes.join(', ') } : {};
}
