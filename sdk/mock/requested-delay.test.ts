import { expect, it } from 'vitest';
import { requestedDelay } from './requested-delay.ts';

it.each([
  [undefined, 0, undefined],
  ['code=402', 0, 'code=402'],
  ['delay=250', 250, undefined],
  ['delay=250, code=409, example=subject_ambiguous', 250, 'code=409, example=subject_ambiguous'],
  ['code=503,delay="40"', 40, 'code=503'],
  ['delay=soon, code=402', 0, 'code=402'],
  ['delay=-5', 0, undefined],
])('%j waits %d ms and leaves %j', (header, delayMs, prefer) => {
  expect(requestedDelay(header)).toEqual({ delayMs, prefer });
});

it('waits no longer than a minute', () => {
  expect(requestedDelay('delay=99999999').delayMs).toBe(60_000);
});
