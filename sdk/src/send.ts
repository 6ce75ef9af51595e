import { pause, withDeadline } from './deadline.ts';
import { ConfigurationError, ConnectionError, type Trace, traceOf } from './errors.ts';
import { rootCauseOf } from './failure.ts';
import { mayRepeat, retryDelayMs } from './retry-rules.ts';
import type { CallOptions, Settings } from './settings.ts';

/**
 * Sends one request of the contract as one logical request: with the key where the endpoint takes it, repeated where that
 * is safe, within one deadline. Answers whatever the service said; rejects only with errors of this package, and with what
 * a hook throws.
 */
export type Send = (request: Request, options?: CallOptions, trace?: Trace) => Promise<Response>;

/** Endpoints that take a key. All others are public, or take only a session of the console. */
const TAKES_KEY = /\/api\/(agents\/register$|svc|receipts)/;

/** Binds sending to a client's settings. A function, so that printing a client never shows its key. */
export function createSend(settings: Settings): Send {
  const { apiKey, hooks } = settings;
  const redact = (text: string) => (apiKey ? text.replaceAll(apiKey, '[key]') : text);

  return (request, options = {}, trace = traceOf()) => {
    const {
      timeoutMs = settings.timeoutMs,
      maxRetries = settings.maxRetries,
      mock = settings.mock,
    } = options;
    const endsAt = performance.now() + timeoutMs;
    const call = `${request.method} ${request.url}`;
    const note = (event: unknown) => settings.logger?.debug(redact(`${call} #${trace.attempts}: ${event}`));

    return withDeadline(timeoutMs, options.signal ?? request.signal, trace, async (signal) => {
      let redirect: RequestRedirect = 'follow';
      if (apiKey && TAKES_KEY.test(call)) {
        if (!settings.keyMayTravel)
          throw new ConfigurationError('apiKey needs https, or allowInsecure.', trace);
        request.headers.set('Authorization', `Bearer ${apiKey}`);
        // The key goes to the host that it is meant for, and not on to wherever a redirect points.
        redirect = 'manual';
      }
      if (mock)
        request.headers.set(
          'Prefer',
          Object.entries(mock)
            .map((entry) => entry.join('='))
            .join(),
        );
      // Read once and sent again from its text: copies of a request would each have to stream it.
      const sent = await request.text();
      for (;;) {
        trace.attempts += 1;
        const attempt = new Request(request, { body: sent || null, signal, redirect });
        hooks?.onRequest?.(attempt, trace);
        let answer: Response;
        let body = '';
        let failure: ConnectionError | undefined;
        try {
          answer = await settings.fetch(attempt);
          // Read within the attempt: a connection that breaks in the middle of an answer is a failure too.
          body = redact(await answer.text());
        } catch (thrown) {
          const { message, code } = rootCauseOf(thrown);
          failure = new ConnectionError(redact(`No answer: ${message}`), { ...trace, code: redact(code) });
          answer = Response.error();
        }
        const { status, headers } = answer;
        trace.requestId = headers.get('x-request-id');
        if (!failure) hooks?.onResponse?.(answer, trace);
        note(failure ?? status);
        const delayMs = retryDelayMs(trace.attempts, headers);
        // A wait that the deadline would cut short isn't begun: the caller gets the reason at once.
        const isLast = signal.aborted || trace.attempts > maxRetries || performance.now() + delayMs >= endsAt;
        if (isLast || !mayRepeat(call, failure?.code ?? status, body)) {
          if (failure) throw failure;
          // A browser hides the status of a redirect that it may not follow, and no Response can be made with a 0.
          const response = new Response(body || null, { status: status || 302, headers });
          // Known already: reading it out of the response's stream again would take longer than all else here.
          return Object.assign(response, { text: async () => body });
        }
        note(`again in ${delayMs | 0} ms`);
        await pause(delayMs, signal);
      }
    });
  };
}
