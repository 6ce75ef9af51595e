import { describe, expect, it } from 'vitest';
import { describeViolations } from './describe-violations.ts';
import { loadContract } from './parse-contract.ts';
import { FULL_PATTERNS, NAME, NOT_BLANK, SUBJECT, validatorOf } from './validation.ts';

const TEXT = '[^\\u0000-\\u001F\\u007F-\\u009F]';
const NAME_TEXT = '[^\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]';
/**
 * Rules that the service must enforce, by the contract's pattern. They need look-arounds and classes that some
 * languages lack.
 */
const ASKED: Readonly<Record<string, string>> = {
  [NOT_BLANK]: `^(?!\\s*$)${TEXT}+$`,
  [SUBJECT]: `^(?!\\s*$)(?!\\s*\\S[\\s\\S]{511,}\\S)${TEXT}+$`,
  [NAME]: `^${NAME_TEXT}*(?![\\u115F\\u1160\\u2800\\u3164\\uFFA0])[\\p{L}\\p{N}\\p{P}\\p{S}]${NAME_TEXT}*$`,
};

const PARTS = [
  ...[...'\u0000\u0007\t\n\v\f\r\u001f\u007f\u0085\u009f'],
  ...[...' \u00a0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'],
  ...[
    ...'\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200d\u200e\u202e\u2060\u2064\u2066\u2069\u2800\u3164\ufe0f\uffa0',
  ],
  ...[
    'a',
    'Z',
    '7',
    '-',
    '/',
    'é',
    'e\u0301',
    '機',
    'ر',
    '🙂',
    '👩‍👩‍👧',
    '\u{1d400}',
    '\u{e0041}',
    '\u{10ffff}',
  ],
  ...['\ud83d', '\ude42', '\ue000', '\uffff', '\u0378'],
];
const LENGTHS = [1, 255, 256, 510, 511, 512, 513, 1_024];

/** Generates numbers below a bound, the same in every run. */
function numbersFrom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function manyTexts(): string[] {
  const below = numbersFrom(2_026);
  const part = () => PARTS[below(PARTS.length)] as string;
  const short = Array.from({ length: 20_000 }, () => Array.from({ length: below(6) }, part).join(''));
  const long = LENGTHS.flatMap((length) =>
    ['a', '🙂', '\ud83d', 'a '].flatMap((unit) => {
      const text = unit.repeat(length).slice(0, unit === '🙂' ? undefined : length);
      return [text, ` ${text}`, `${text}\u3000 `, `\ufeff${text} `, `${text}\u0000`, `  ${text}x`];
    }),
  );
  const everyUnit = Array.from({ length: 0x1_00_00 }, (_, unit) => String.fromCharCode(unit));
  return ['', ...PARTS, ...short, ...long, ...everyUnit];
}
const TEXTS = manyTexts();

describe.each(Object.entries(ASKED))('the pattern %s', (pattern, asked) => {
  const whole = new RegExp(asked, 'u');

  it('is checked as the service has to check it, whatever the text', () => {
    const validate = validatorOf('body', { type: 'string', pattern });

    const differing = TEXTS.filter((text) => validate(text) !== whole.test(text));

    expect(differing).toEqual([]);
    expect(TEXTS.filter((text) => whole.test(text)).length).toBeGreaterThan(1_000);
  });

  it('refuses in no language what the service takes, and means the same with and without the flag u', () => {
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')];

    expect(TEXTS.filter((text) => whole.test(text) && !plain.test(text))).toEqual([]);
    expect(TEXTS.filter((text) => plain.test(text) !== unicode.test(text))).toEqual([]);
  });

  it('stands in the contract', () => {
    expect(JSON.stringify(loadContract().document)).toContain(JSON.stringify(pattern));
  });
});

it('a pattern that the service checks by itself has one that it stands for', () => {
  expect(Object.keys(FULL_PATTERNS).every((pattern) => pattern in ASKED)).toBe(true);
});

it.each([
  [
    NAME,
    '\u{e0041}',
    'it needs at least one visible character, and none that controls text or turns its direction.',
  ],
  [
    SUBJECT,
    'a'.repeat(513),
    'it must not be blank, and must have no control characters, and at most 512 characters.',
  ],
])('what only the service can tell of %s is refused in words', (pattern, text, sentence) => {
  const validate = validatorOf('body', { type: 'object', properties: { it: { type: 'string', pattern } } });

  expect(validate({ it: text })).toBe(false);
  expect(describeViolations(validate.errors as never)).toBe(sentence);
});
