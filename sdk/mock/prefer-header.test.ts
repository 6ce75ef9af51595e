import { expect, it } from 'vitest';
import { parsePrefer } from './prefer-header.ts';

it.each([
  [undefined, 0, null],
  ['', 0, null],
  ['code=402', 0, { code: 402 }],
  ['delay=250', 250, null],
  ['delay=250, code=409, example=subject_ambiguous', 250, { code: 409, example: 'subject_ambiguous' }],
  ['code=503,delay="40"', 40, { code: 503 }],
  [['code=503', 'delay=40'], 40, { code: 503 }],
  ['dynamic=true; seed=one', 0, { dynamic: true, seed: 'one' }],
  ['dynamic=false', 0, null],
  ['respond-async, return=minimal', 0, null],
])('%j waits %d ms for %j', (header, delayMs, answer) => {
  expect(parsePrefer(header)).toEqual({ delayMs, answer });
});

it('waits no longer than a minute', () => {
  expect(parsePrefer('delay=99999999').delayMs).toBe(60_000);
});

it.each([
  'delay=soon, code=402',
  'delay=-5',
  'code=4020',
  'code=999',
  'code=',
  'dynamic=yes',
  'example=',
  'code=402, example',
  'dynamic=true, seed=""',
])('refuses a value of another form: %s', (header) => {
  expect(() => parsePrefer(header)).toThrow(/^The header Prefer must have /);
});
