import type { Answer, AnswerBody } from './metered-client.ts';

/** One call as its client recorded it: request, times and answer. */
export interface CallRecord {
  readonly accountId: string;
  readonly idempotencyKey: string;
  readonly subject: string;
  /** Milliseconds on the client's clock. */
  readonly invokedAt: number;
  readonly endedAt: number;
  /** `ok`: a receipt. `fail`: this call charged nothing. `info`: it is unknown whether it charged. */
  readonly outcome: 'ok' | 'fail' | 'info';
  /** 0 if no answer arrived. */
  readonly status: number;
  readonly body: AnswerBody;
  readonly retryAfter?: string | undefined;
}

/** Calls recorded by all clients, in order of completion. */
export interface History {
  readonly calls: CallRecord[];
  /** Makes a call and records its result; never rejects. */
  record(
    question: Pick<CallRecord, 'accountId' | 'idempotencyKey' | 'subject'>,
    call: () => Promise<Answer>,
  ): Promise<CallRecord>;
  /** Counts all calls, first receipts (`acknowledged`), replays, unknown outcomes, and refusals by status. */
  counts(): Record<string, number>;
}

/**
 * Returns the outcome that a status implies: `info` for 500, 503 and a missing answer; every other refusal charged
 * nothing.
 */
function outcomeOf(status: number): CallRecord['outcome'] {
  if (status === 200) return 'ok';
  return status === 0 || status === 500 || status === 503 ? 'info' : 'fail';
}

export function createHistory(): History {
  const calls: CallRecord[] = [];
  return {
    calls,
    async record(question, call) {
      const invokedAt = performance.now();
      const answer = await call().catch((): Answer => ({ status: 0, body: {}, retryAfter: undefined }));
      const { status, body, retryAfter } = answer;
      const record = {
        ...question,
        invokedAt,
        endedAt: performance.now(),
        outcome: outcomeOf(status),
        status,
        body,
        retryAfter,
      };
      calls.push(record);
      return record;
    },
    counts() {
      const counts: Record<string, number> = { calls: calls.length, acknowledged: 0, replays: 0, unknown: 0 };
      const add = (name: string) => {
        counts[name] = (counts[name] ?? 0) + 1;
      };
      for (const { outcome, body, status } of calls) {
        if (outcome === 'ok') add(body.idempotent ? 'replays' : 'acknowledged');
        else if (outcome === 'info') add('unknown');
        else add(`answers_${status}`);
      }
      return counts;
    },
  };
}
