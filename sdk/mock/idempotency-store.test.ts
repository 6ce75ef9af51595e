import { describe, expect, it } from 'vitest';
import { IdempotencyStore, type LogicalCall } from './idempotency-store.ts';

const call: LogicalCall = {
  credential: 'one',
  idempotencyKey: 'k',
  operation: 'agent_score',
  subject: 'a/b',
};
const ANSWER = { ok: true };

/** Begins a call and stores its response. */
function answer(calls: IdempotencyStore, made: LogicalCall): string {
  const begun = calls.begin(made);
  if (!begun) throw new Error('the key is taken');
  calls.answered(begun, ANSWER);
  return begun.ledgerId;
}

describe('the idempotency store', () => {
  it('separates keys by credential', () => {
    const calls = new IdempotencyStore();

    const ledgerId = answer(calls, call);

    expect(calls.stateOf(call)).toMatchObject({ kind: 'answered', known: { ledgerId, answer: ANSWER } });
    expect(calls.stateOf({ ...call, credential: 'two' }).kind).toBe('new');
    expect(calls.stateOf({ ...call, idempotencyKey: 'l' }).kind).toBe('new');
  });

  it('gives every call a receipt', () => {
    const calls = new IdempotencyStore();

    const first = answer(calls, call);
    const second = answer(calls, { ...call, idempotencyKey: 'l' });

    expect(first).not.toBe(second);
    expect(calls.withLedgerId(second.toUpperCase())?.idempotencyKey).toBe('l');
    expect(calls.withLedgerId('nobody’s')).toBeUndefined();
  });

  it('distinguishes a repeat from another operation or subject, during and after the first call', () => {
    const calls = new IdempotencyStore();
    const others = [{ operation: 'skill_score' }, { subject: 'c/d' }].map((change) => ({
      ...call,
      ...change,
    }));

    const begun = calls.begin(call);
    expect(calls.stateOf(call).kind).toBe('in progress');
    for (const other of others) expect(calls.stateOf(other).kind).toBe('used for another call');
    if (begun) calls.answered(begun, ANSWER);

    for (const other of others) expect(calls.stateOf(other).kind).toBe('used for another call');
  });

  it('reserves a key for one call, and releases it on failure', () => {
    const calls = new IdempotencyStore();

    const first = calls.begin(call);
    const meanwhile = calls.begin(call);
    if (first) calls.failed(first);

    expect(meanwhile).toBeNull();
    expect(calls.stateOf(call).kind).toBe('new');
    expect(calls.begin(call)).not.toBeNull();
  });

  it('evicts the oldest beyond 10,000 calls, answered or not', () => {
    const calls = new IdempotencyStore();

    calls.begin({ ...call, idempotencyKey: 'k0' });
    for (let index = 1; index <= 10_000; index++) answer(calls, { ...call, idempotencyKey: `k${index}` });

    expect(calls.stateOf({ ...call, idempotencyKey: 'k0' }).kind).toBe('new');
    expect(calls.stateOf({ ...call, idempotencyKey: 'k1' }).kind).toBe('answered');
    expect(calls.stateOf({ ...call, idempotencyKey: 'k10000' }).kind).toBe('answered');
  });
});
