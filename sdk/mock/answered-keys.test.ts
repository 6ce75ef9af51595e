import { describe, expect, it } from 'vitest';
import { AnsweredKeys, type LogicalCall } from './answered-keys.ts';

const call: LogicalCall = {
  credential: 'one',
  idempotencyKey: 'k',
  operation: 'agent_score',
  subject: 'a/b',
};

describe('answered keys', () => {
  it('know a key by its credential: another caller may use the same one', () => {
    const answered = new AnsweredKeys();

    answered.note(call);

    expect(answered.stateOf(call)).toBe('answered');
    expect(answered.stateOf({ ...call, credential: 'two' })).toBe('new');
    expect(answered.stateOf({ ...call, idempotencyKey: 'l' })).toBe('new');
  });

  it('tell another operation or subject from a repeat, also after a second note', () => {
    const answered = new AnsweredKeys();

    answered.note(call);
    answered.note({ ...call, subject: 'c/d' });

    expect(answered.stateOf({ ...call, operation: 'skill_score' })).toBe('used for another call');
    expect(answered.stateOf({ ...call, subject: 'c/d' })).toBe('used for another call');
    expect(answered.stateOf(call)).toBe('answered');
  });

  it('forget the oldest beyond the last 10,000', () => {
    const answered = new AnsweredKeys();

    for (let index = 0; index <= 10_000; index++) answered.note({ ...call, idempotencyKey: `k${index}` });

    expect(answered.stateOf({ ...call, idempotencyKey: 'k0' })).toBe('new');
    expect(answered.stateOf({ ...call, idempotencyKey: 'k1' })).toBe('answered');
    expect(answered.stateOf({ ...call, idempotencyKey: 'k10000' })).toBe('answered');
  });
});
