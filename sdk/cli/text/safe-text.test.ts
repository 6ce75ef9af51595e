import { describe, expect, it } from 'vitest';
import { safeJson, safeText, safeValue } from './safe-text.ts';

const HOSTILE = [
  ['a colour', 'a\u001b[31mb', 'ab'],
  ['a cleared screen', 'a\u001b[2J\u001b[Hb', 'ab'],
  ['a window title', 'a\u001b]0;owned\u0007b', 'ab'],
  ['a link that ends with ST', 'a\u001b]8;;https://evil.example\u001b\\b', 'ab'],
  ['a device control string', 'a\u001bP1$r\u001b\\b', 'ab'],
  ['a reset', 'a\u001bcb', 'ab'],
  ['an 8-bit CSI', 'a\u009b31mb', 'ab'],
  ['an OSC without an end', 'a\u001b]0;b', 'a0;b'],
  ['an escape at the end', 'a\u001b', 'a'],
  ['an overwritten line', 'verified\rfake', 'verified fake'],
  ['rubbed out letters', 'ab\b\bc', 'abc'],
  ['further lines', 'a\nb\r\nc\u2028d', 'a b c d'],
  ['text from right to left', 'a\u202ecba\u2069', 'acba'],
  ['hidden characters', 'a\u200b\ufeff\u{e0041}b', 'ab'],
  ['a bell', 'a\u0007b', 'ab'],
] as const;

describe('untrusted text', () => {
  it.each(HOSTILE)('is printed without %s', (_name, text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  it.each(['\u009d', '\u0090', '\u009b', '\u001b]', '\u001b[', '\u001bP1'])(
    'is sanitized in linear time: %j repeated',
    (piece) => {
      const { user } = process.cpuUsage();

      safeText(piece.repeat(2 ** 17));

      expect(process.cpuUsage().user - user).toBeLessThan(3_000_000);
    },
  );

  it('keeps every language', () => {
    const text = 'Größe 信頼 доверие ثقة naïve 🦊';

    expect(safeText(text)).toBe(text);
  });

  it('is sanitized at any depth, without other changes', () => {
    const value = { 'a\u001b[1m': ['\u001b[31mred', { b: 1, c: null, d: true }] };

    expect(safeValue(value)).toEqual({ a: ['red', { b: 1, c: null, d: true }] });
  });
});

describe('JSON', () => {
  it('escapes control characters and loses nothing', () => {
    const value = Object.fromEntries(HOSTILE.map(([name, text]) => [name, text]));

    const json = safeJson(value);

    expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(json)).toEqual(value);
  });
});
