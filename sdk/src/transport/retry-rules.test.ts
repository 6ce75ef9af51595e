import { describe, expect, it } from 'vitest';
import { mayRepeat, retryDelayMs } from './retry-rules.ts';

const mayRepeatAfterAnswer = (call: string, status: number, text: string) =>
  mayRepeat(call, { status, text });
const mayRepeatAfterFailure = (call: string, code: string) => mayRepeat(call, undefined, code);

const READ = 'GET http://127.0.0.1:4000/api/agents?q=run';
const RUN = 'POST http://127.0.0.1:4000/api/svc/operations/run';
const REGISTER = 'POST http://127.0.0.1:4000/api/agents/register';
const CONSOLE = 'PUT http://127.0.0.1:4000/api/console/lineage/AGT-7K2MQ9XD/acknowledgement';
const inProgress = JSON.stringify({ ok: false, error: 'It still runs.', code: 'idempotency_in_progress' });
const ambiguous = JSON.stringify({ ok: false, error: 'Which one?', code: 'subject_ambiguous' });

describe('which answers are tried again', () => {
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

  it('a 409 only of an operation that is in progress', () => {
    expect(mayRepeatAfterAnswer(RUN, 409, inProgress)).toBe(true);
    expect(mayRepeatAfterAnswer(RUN, 409, ambiguous)).toBe(false);
    expect(mayRepeatAfterAnswer(RUN, 409, '<h1>Conflict</h1>')).toBe(false);
    expect(mayRepeatAfterAnswer(RUN, 409, JSON.stringify({ error: 'Not "idempotency_in_progress".' }))).toBe(
      false,
    );
    expect(mayRepeatAfterAnswer(READ, 409, ambiguous)).toBe(false);
    expect(mayRepeatAfterAnswer(REGISTER, 409, inProgress)).toBe(false);
  });

  it.each([REGISTER, CONSOLE])('a write without a key only after 429, when nothing was done: %s', (call) => {
    const repeated = [...passing, ...final].filter((status) => mayRepeatAfterAnswer(call, status, ''));

    expect(repeated).toEqual([429]);
  });
});

describe('a write with a key', () => {
  it('is tried again after the answers and failures that an operation is', () => {
    for (const status of [408, 429, 500, 502, 503, 504])
      expect(mayRepeat(REGISTER, { status, text: '' }, undefined, 'key')).toBe(true);
    expect(mayRepeat(REGISTER, { status: 409, text: ambiguous }, undefined, 'key')).toBe(false);
    expect(mayRepeat(REGISTER, { status: 422, text: '' }, undefined, 'key')).toBe(false);
    expect(mayRepeat(REGISTER, undefined, 'ECONNRESET', 'key')).toBe(true);
  });
});

describe('which failures of the network are tried again', () => {
  it.each(['ECONNRESET', 'ECONNREFUSED', '23', ''])('all, of a read and of an operation (%j)', (word) => {
    expect(mayRepeatAfterFailure(READ, word)).toBe(true);
    expect(mayRepeatAfterFailure(RUN, word)).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused'])(
    'of any other write those before the request was sent (%s)',
    (word) => {
      expect(mayRepeatAfterFailure(REGISTER, word)).toBe(true);
      expect(mayRepeatAfterFailure(CONSOLE, word)).toBe(true);
    },
  );

  it.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', '429', ''])('and none of the others (%j)', (word) => {
    expect(mayRepeatAfterFailure(REGISTER, word)).toBe(false);
    expect(mayRepeatAfterFailure(CONSOLE, word)).toBe(false);
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
