import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type BarrierWaiter, createSessionBarrier } from './persistent-session.ts';

const PATIENCE_MS = 100;

interface Sent {
  readonly session: pg.Client;
  answer(): void;
  fail(): void;
}

let sent: Sent[];
let current: pg.Client | null;
let told: Record<string, boolean>;
let wait: (waiter: BarrierWaiter) => void;

/** Creates a session that the test answers. */
function openSession(): pg.Client {
  const session = {
    query(sql: string, settle: (error: Error | null) => void) {
      expect(sql).toBe('');
      sent.push({
        session: session as never,
        answer: () => settle(null),
        fail: () => settle(new Error('the session is lost')),
      });
    },
  };
  return session as never;
}

const ask = (name: string) =>
  wait((passed) => {
    told[name] = passed;
  });

beforeEach(() => {
  [sent, told, current] = [[], {}, openSession()];
  wait = createSessionBarrier(() => current, PATIENCE_MS);
});

describe('a round trip of a session', () => {
  it('serves all callers from before it began, and none from later', async () => {
    ask('one');
    ask('two');
    await turn();
    ask('later');
    await turn();
    expect(sent).toHaveLength(1);
    expect(told).toEqual({});

    sent[0]?.answer();

    expect(told).toEqual({ one: true, two: true });
    expect(sent).toHaveLength(2);
    sent[1]?.answer();
    expect(told).toEqual({ one: true, two: true, later: true });
  });

  it('confirms nothing without a session', async () => {
    current = null;
    ask('one');
    await turn();

    expect(told).toEqual({ one: false });
    expect(sent).toEqual([]);
  });

  it('confirms nothing if the session was replaced or fails', async () => {
    ask('one');
    await turn();
    current = openSession();
    sent[0]?.answer();
    expect(told).toEqual({ one: false });

    ask('two');
    await turn();
    expect(sent[1]?.session).toBe(current);
    sent[1]?.fail();
    expect(told).toEqual({ one: false, two: false });

    ask('three');
    await turn();
    sent[2]?.answer();
    expect(told).toEqual({ one: false, two: false, three: true });
  });

  it('never makes a caller wait longer than the timeout, whether it has begun or not', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    ask('begun');
    await turn();
    ask('queued');
    vi.advanceTimersByTime(PATIENCE_MS);
    vi.useRealTimers();
    await turn();
    expect(told).toEqual({ begun: false, queued: false });

    sent[0]?.answer();
    ask('after');
    await turn();
    sent[1]?.answer();

    expect(sent).toHaveLength(2);
    expect(told).toEqual({ begun: false, queued: false, after: true });
  });

  it('counts an answer that arrived while this process was paused', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    ask('one');
    await turn();
    // Data that has arrived is read right after due timers.
    vi.advanceTimersByTime(PATIENCE_MS);
    sent[0]?.answer();
    vi.useRealTimers();
    await turn();

    expect(told).toEqual({ one: true });
  });
});
