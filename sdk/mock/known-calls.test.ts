import { describe, expect, it } from 'vitest';
import { KnownCalls, type LogicalCall } from './known-calls.ts';

const call: LogicalCall = {
  credential: 'one',
  idempotencyKey: 'k',
  operation: 'agent_score',
  subject: 'a/b',
};
const ANSWER = { ok: true };

/** Begins a call and answers it. */
function answer(calls: KnownCalls, made: LogicalCall): string {
  const begun = calls.begin(made);
  if (!begun) throw new Error('the key is taken');
  calls.answered(begun, ANSWER);
  return begun.ledgerId;
}

describe('known calls', () => {
  it('know a key by its credential: another caller may use the same one', () => {
    const calls = new KnownCalls();

    const ledgerId = answer(calls, call);

    expect(calls.stateOf(call)).toMatchObject({ kind: 'answered', known: { ledgerId, answer: ANSWER } });
    expect(calls.stateOf({ ...call, credential: 'two' }).kind).toBe('new');
    expect(calls.stateOf({ ...call, idempotencyKey: 'l' }).kind).toBe('new');
  });

  it('have a receipt each', () => {
    const calls = new KnownCalls();

    const first = answer(calls, call);
    const second = answer(calls, { ...call, idempotencyKey: 'l' });

    expect(first).not.toBe(second);
    expect(calls.withLedgerId(second.toUpperCase())?.idempotencyKey).toBe('l');
    expect(calls.withLedgerId('nobody’s')).toBeUndefined();
  });

  it('tell another operation or subject from a repeat, while the first is in progress and after', () => {
    const calls = new KnownCalls();
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

  it('give a key to one call at a time, and to the next one where it failed', () => {
    const calls = new KnownCalls();

    const first = calls.begin(call);
    const meanwhile = calls.begin(call);
    if (first) calls.failed(first);

    expect(meanwhile).toBeNull();
    expect(calls.stateOf(call).kind).toBe('new');
    expect(calls.begin(call)).not.toBeNull();
  });

  it('forget the oldest beyond the last 10,000, whether they were answered or not', () => {
    const calls = new KnownCalls();

    calls.begin({ ...call, idempotencyKey: 'k0' });
    for (let index = 1; index <= 10_000; index++) answer(calls, { ...call, idempotencyKey: `k${index}` });

    expect(calls.stateOf({ ...call, idempotencyKey: 'k0' }).kind).toBe('new');
    expect(calls.stateOf({ ...call, idempotencyKey: 'k1' }).kind).toBe('answered');
    expect(calls.stateOf({ ...call, idempotencyKey: 'k10000' }).kind).toBe('answered');
  });
});
