import { describe, expect, it } from 'vitest';
import { mayRepeatAfterAnswer, mayRepeatAfterFailure, retryDelayMs } from './retry-rules.ts';

const inProgress = JSON.stringify({ ok: false, error: 'It still runs.', code: 'idempotency_in_progress' });
const ambiguous = JSON.stringify({ ok: false, error: 'Which one?', code: 'subject_ambiguous' });
const refused = new TypeError('fetch failed', {
  cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
});
const reset = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });

describe('which answers are tried again', () => {
  const passing = [408, 429, 502, 503, 504];
  const final = [200, 302, 400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 500, 501, 505];

  it.each(passing)('%i, of a read and of an operation', (status) => {
    expect(mayRepeatAfterAnswer('read', status, '')).toBe(true);
    expect(mayRepeatAfterAnswer('keyed', status, '')).toBe(true);
  });

  it.each(final)('never %i', (status) => {
    expect(mayRepeatAfterAnswer('read', status, inProgress)).toBe(false);
    expect(mayRepeatAfterAnswer('keyed', status, inProgress)).toBe(false);
    expect(mayRepeatAfterAnswer('unkeyed', status, inProgress)).toBe(false);
  });

  it('a 409 only of an operation that is in progress', () => {
    expect(mayRepeatAfterAnswer('keyed', 409, inProgress)).toBe(true);
    expect(mayRepeatAfterAnswer('keyed', 409, ambiguous)).toBe(false);
    expect(mayRepeatAfterAnswer('keyed', 409, '<h1>Conflict</h1>')).toBe(false);
    expect(mayRepeatAfterAnswer('read', 409, inProgress)).toBe(false);
    expect(mayRepeatAfterAnswer('unkeyed', 409, inProgress)).toBe(false);
  });

  it('a registration only after 429, which is answered before anything is done', () => {
    const repeated = [...passing, ...final].filter((status) => mayRepeatAfterAnswer('unkeyed', status, ''));

    expect(repeated).toEqual([429]);
  });
});

describe('which failures of the network are tried again', () => {
  it('all, of a read and of an operation', () => {
    expect(mayRepeatAfterFailure('read', reset)).toBe(true);
    expect(mayRepeatAfterFailure('keyed', reset)).toBe(true);
  });

  it('of a registration only those before the request was sent', () => {
    expect(mayRepeatAfterFailure('unkeyed', refused)).toBe(true);
    expect(mayRepeatAfterFailure('unkeyed', reset)).toBe(false);
    expect(mayRepeatAfterFailure('unkeyed', new TypeError('Failed to fetch'))).toBe(false);
  });

  it('survives causes that go round in a circle', () => {
    const circle = new Error('round', {});
    circle.cause = circle;

    expect(mayRepeatAfterFailure('unkeyed', circle)).toBe(false);
  });
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

  it('waits as long as it is asked to, a minute at most', () => {
    expect(retryDelayMs(1, new Headers({ 'retry-after': '7' }))).toBe(7000);
    expect(retryDelayMs(1, new Headers({ 'retry-after': '3600' }))).toBe(60_000);
    expect(retryDelayMs(30)).toBe(60_000);
  });
});
