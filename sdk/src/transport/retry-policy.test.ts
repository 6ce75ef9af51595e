import { describe, expect, it } from 'vitest';
import { isRetryable, repeatIfNotDone, retryAfterMs, retryDelayMs } from './retry-policy.ts';

const mayRepeatAfterAnswer = (call: string, status: number, text: string) =>
  isRetryable(call, status, text, undefined, null, repeatIfNotDone);
const mayRepeatAfterFailure = (call: string, code: string) =>
  isRetryable(call, undefined, '', code, null, repeatIfNotDone);

const asked = (value: string, date?: string) =>
  retryAfterMs(new Headers({ 'retry-after': value, ...(date ? { date } : {}) }));

const READ = 'GET http://127.0.0.1:4000/api/agents?q=run';
const RUN = 'POST http://127.0.0.1:4000/api/svc/operations/run';
const REGISTER = 'POST http://127.0.0.1:4000/api/agents/register';
const CONSOLE = 'PUT http://127.0.0.1:4000/api/console/lineage/AGT-7K2MQ9XD/acknowledgement';
const inProgress = JSON.stringify({ ok: false, error: 'It still runs.', code: 'idempotency_in_progress' });
const ambiguous = JSON.stringify({ ok: false, error: 'Which one?', code: 'subject_ambiguous' });

describe('responses that are retried', () => {
  const passing = [408, 429, 500, 502, 503, 504];
  const final = [200, 302, 400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 501, 505];

  it.each(passing)('%i, of a read and of an operation', (status) => {
    expect(mayRepeatAfterAnswer(READ, status, '')).toBe(true);
    expect(mayRepeatAfterAnswer(RUN, status, '')).toBe(true);
  });

  it.each(final)('never %i', (status) => {
    for (const call of [READ, RUN, REGISTER, CONSOLE])
      expect(mayRepeatAfterAnswer(call, status, inProgress)).toBe(false);
  });

  it('409 only for an operation in progress', () => {
    expect(mayRepeatAfterAnswer(RUN, 409, inProgress)).toBe(true);
    expect(mayRepeatAfterAnswer(RUN, 409, ambiguous)).toBe(false);
    expect(mayRepeatAfterAnswer(RUN, 409, '<h1>Conflict</h1>')).toBe(false);
    expect(mayRepeatAfterAnswer(RUN, 409, JSON.stringify({ error: 'Not "idempotency_in_progress".' }))).toBe(
      false,
    );
    expect(mayRepeatAfterAnswer(READ, 409, ambiguous)).toBe(false);
    expect(mayRepeatAfterAnswer(REGISTER, 409, inProgress)).toBe(false);
  });

  it.each([REGISTER, CONSOLE])('writes without an idempotency key only after 429: %s', (call) => {
    const repeated = [...passing, ...final].filter((status) => mayRepeatAfterAnswer(call, status, ''));

    expect(repeated).toEqual([429]);
  });
});

describe('a write with an idempotency key', () => {
  it('is retried like an operation', () => {
    for (const status of [408, 429, 500, 502, 503, 504])
      expect(isRetryable(REGISTER, status, '', undefined, 'key')).toBe(true);
    expect(isRetryable(REGISTER, 409, ambiguous, undefined, 'key')).toBe(false);
    expect(isRetryable(REGISTER, 422, '', undefined, 'key')).toBe(false);
    expect(isRetryable(REGISTER, undefined, '', 'ECONNRESET', 'key')).toBe(true);
  });
});

describe('network errors that are retried', () => {
  it.each(['ECONNRESET', 'ECONNREFUSED', '23', ''])('all for reads and operations (%j)', (word) => {
    expect(mayRepeatAfterFailure(READ, word)).toBe(true);
    expect(mayRepeatAfterFailure(RUN, word)).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused'])(
    'those before the request was sent, for other writes (%s)',
    (word) => {
      expect(mayRepeatAfterFailure(REGISTER, word)).toBe(true);
      expect(mayRepeatAfterFailure(CONSOLE, word)).toBe(true);
    },
  );

  it.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'EAGAIN', '429', ''])(
    'no others for other writes (%j)',
    (word) => {
      expect(mayRepeatAfterFailure(REGISTER, word)).toBe(false);
      expect(mayRepeatAfterFailure(CONSOLE, word)).toBe(false);
    },
  );
});

describe('retryDelayMs', () => {
  it.each([
    [1, 250, 500],
    [2, 500, 1000],
    [3, 1000, 2000],
  ])('waits half to all of the doubled delay after attempt %i', (attempts, from, to) => {
    const delays = Array.from({ length: 200 }, () => retryDelayMs(attempts));

    expect(Math.min(...delays)).toBeGreaterThanOrEqual(from);
    expect(Math.max(...delays)).toBeLessThanOrEqual(to);
    expect(new Set(delays).size).toBeGreaterThan(100);
  });

  it('follows Retry-After, at most a minute', () => {
    expect(retryDelayMs(1, new Headers({ 'retry-after': '7' }))).toBe(7000);
    expect(retryDelayMs(1, new Headers({ 'retry-after': '3600' }))).toBe(60_000);
    expect(retryDelayMs(30)).toBe(60_000);
  });
});

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['2', 2000],
    ['120', 120_000],
  ])('reads %s seconds', (value, expected) => {
    expect(asked(value)).toBe(expected);
  });

  it('compares a date with the response’s Date, not with the local clock', () => {
    expect(asked('Wed, 21 Oct 2015 07:28:05 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(5000);
  });

  it('compares a date with the local clock if the response has no Date', () => {
    const inTenSeconds = asked(new Date(Date.now() + 10_000).toUTCString());

    expect(inTenSeconds).toBeGreaterThan(8_000);
    expect(inTenSeconds).toBeLessThanOrEqual(10_000);
  });

  it('returns 0 for a past date', () => {
    expect(asked('Wed, 21 Oct 2015 07:28:00 GMT', 'Wed, 21 Oct 2015 07:29:00 GMT')).toBe(0);
  });

  it.each(['', 'soon', '-5', '1.5', '2 s', 'May 2001', 'Someday GMT', '2026-11-20T09:00:00Z'])(
    'returns null for %j',
    (value) => {
      expect(asked(value)).toBeNull();
    },
  );

  it('returns null without the header', () => {
    expect(retryAfterMs(new Headers())).toBeNull();
    expect(retryAfterMs(new Headers())).toBeNull();
  });
});
