import { expect, it } from 'vitest';
import { painter, wantsColour } from './colors.ts';

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, true],
])('on a terminal: %s, with %j: colours %s', (isTerminal, environment, expected) => {
  expect(wantsColour({ isTerminal, environment, refused: false })).toBe(expected);
});

it('has no colours with --no-color, whatever else is set', () => {
  expect(wantsColour({ isTerminal: true, environment: { FORCE_COLOR: '1' }, refused: true })).toBe(false);
});

it('resets colours after each text', () => {
  expect(painter(true)('green', 'high')).toBe('\u001b[32mhigh\u001b[39m');
  expect(painter(false)('green', 'high')).toBe('high');
  expect(painter(true)(null, 'high')).toBe('high');
});
