import { type Deadline, pause } from './deadline.ts';
import type { CallTrace } from './errors.ts';
import type { Redact } from './redact.ts';
import { mayRepeatAfterAnswer, mayRepeatAfterFailure, type RetryRule, retryDelayMs } from './retry-rules.ts';
import type { Fetch } from './settings.ts';

/** How one call is sent. */
export interface AttemptPlan {
  readonly fetch: Fetch;
  readonly rule: RetryRule;
  readonly maxRetries: number;
  readonly deadline: Deadline;
  readonly redact: Redact;
  /** Counted up while the call runs. */
  readonly trace: { attempts: number } & Omit<CallTrace, 'attempts'>;
}

/**
 * Sends a request, and again where that may help: the same request each time, so the same idempotency key. Ends with the
 * last answer, whatever its status, or throws what the last attempt threw.
 */
export async function fetchRepeatedly(plan: AttemptPlan, request: Request): Promise<Response> {
  const { fetch, rule, deadline, trace } = plan;
  const { signal } = deadline;
  for (;;) {
    signal.throwIfAborted();
    trace.attempts += 1;
    try {
      const answer = await fetch(new Request(request.clone(), { signal }));
      // Read within the attempt: a connection that breaks in the middle of an answer is a failure too.
      const body = await answer.text();
      if (mayRepeatAfterAnswer(rule, answer.status, body) && (await mayWait(plan, answer.headers))) continue;
      // A browser hides the status of a redirect that it may not follow, and no Response can be made with a 0.
      return new Response(plan.redact(body) || null, {
        status: answer.status || 302,
        headers: answer.headers,
      });
    } catch (failure) {
      if (!mayRepeatAfterFailure(rule, failure) || !(await mayWait(plan))) throw failure;
    }
  }
}

/**
 * Waits for the next attempt; false where none is left. A wait that the deadline would cut short isn't begun: the caller
 * gets the reason at once.
 */
async function mayWait({ maxRetries, deadline, trace }: AttemptPlan, headers?: Headers): Promise<boolean> {
  const delayMs = retryDelayMs(trace.attempts, headers);
  const { signal, endsAt } = deadline;
  if (trace.attempts > maxRetries || performance.now() + delayMs >= endsAt || signal.aborted) return false;
  await pause(delayMs, signal);
  return true;
}
