import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { requireName } from '../../access/keys/key-fields.ts';
import { cleanTopics } from '../../hosts/readers/repository-reading.ts';
import { cleanName } from '../../hosts/untrusted-answers.ts';
import { parseRow } from '../../intake/import/parse-row.ts';
import { describeViolations } from '../http/contract/describe-violations.ts';
import { loadContract } from '../http/contract/parse-contract.ts';
import { FULL_PATTERNS, NAME } from '../http/contract/validation.ts';
import { isUtcText, isValidName, listNames, NAME_PATTERN, NAME_RULE, printable } from './request-text.ts';

/** Texts without any visible character. */
const UNSEEN = [
  '',
  ' ',
  '\u00a0',
  '\u200b',
  '\u200d\u200c',
  '\ufeff',
  '\u00ad',
  '\u2060',
  '\u3164',
  '\u115f\u1160',
  '\uffa0',
  '\u2800',
  '\ufe0f',
  '\u034f',
  '\u{e0041}',
  '\u3000',
  '\ue000',
];
/** Texts with bidirectional controls, which could disguise one name as another. */
const TURNING = [
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
].map((mark) => `nice${mark}exe.txt`);
const SHOWN = [
  'a',
  '7',
  '!',
  '🙂',
  '👩‍👩‍👧',
  '機器人',
  'روبوت',
  'क्षि',
  'e\u0301',
  '한글',
  ' padded ',
  '\u200da',
  'C++',
  '©',
];

describe('a valid name', () => {
  it('is not invisible', async () => {
    const check = (text: string) => {
      expect(isValidName(text)).toBe(false);
      expect(() => requireName(text)).toThrow('at least one visible character');
      expect(cleanName(text, 100)).toBeNull();
      expect(cleanTopics([text])).toEqual([]);
    };

    await expectEveryRow(UNSEEN, (text) => JSON.stringify(text), check);
  });

  it.each(TURNING)('is not %j, which changes the direction of text', (text) => {
    expect(isValidName(text)).toBe(false);
    expect(() => requireName(text)).toThrow('turns its direction');
    expect(cleanName(text, 100)).toBe('niceexe.txt');
    expect(cleanTopics([text])).toEqual(['niceexe.txt']);
  });

  it('is any text with a visible character', async () => {
    const check = (text: string) => {
      expect(isValidName(text)).toBe(true);
      expect(() => requireName(text)).not.toThrow();
      expect(cleanName(text, 100)).toBe(text.trim());
    };

    await expectEveryRow(SHOWN, (text) => JSON.stringify(text), check);
  });

  it('contains no control character', () => {
    for (const text of ['a\u0000', '\u0007a', 'a\u0085', 'a\nb']) expect(isValidName(text)).toBe(false);
  });

  it('is required wherever the contract has its pattern, with the rule in the message', () => {
    const { schemas } = loadContract().document.components as {
      schemas: Record<
        string,
        { properties: Record<string, { pattern?: string; items?: { pattern?: string } }> }
      >;
    };

    const { name, tags } = schemas.RegisterAgentRequest?.properties ?? {};
    expect([name?.pattern, tags?.items?.pattern, schemas.CreateKeyRequest?.properties.name?.pattern]).toEqual(
      [NAME, NAME, NAME],
    );
    expect(FULL_PATTERNS[NAME]).toBe(NAME_PATTERN);
    const violation = {
      keyword: 'pattern',
      instancePath: '/name',
      schemaPath: '',
      params: { pattern: NAME },
    };
    expect(describeViolations([violation])).toBe(
      'name needs at least one visible character, and none that controls text or turns its direction.',
    );
  });
});

describe('a row of an import', () => {
  const LISTING = {
    repository: 'acme/robot',
    host: 'github.com',
    type: 'agent',
    kind: 'agent',
    name: 'Robot',
    category: 'coding',
    sources: ['x'],
  };
  const ARTIFACT = { repository: 'acme/robot', name: 'tool', kind: 'skill', sources: ['x'] };
  const CREATOR = { host: 'github.com', handle: 'acme' };
  const ACCOUNT = { type: 'social_account', kind: 'account', platform: 'x', handle: 'acme', source: 'x' };
  const reasonOf = (row: object) => {
    const parsed = parseRow(JSON.stringify(row));
    return 'reason' in parsed ? parsed.reason : null;
  };
  const shownOf = (row: object) => (parseRow(JSON.stringify(row)) as { row?: Record<string, unknown> }).row;

  it('is accepted if valid', () => {
    for (const row of [LISTING, ARTIFACT, CREATOR, ACCOUNT])
      expect([row, reasonOf(row)]).toEqual([row, null]);
  });

  it.each(['\u200b', '\u3164', 'a\u202eb'])('is refused for the name or tag %j, with the reason', (text) => {
    expect(reasonOf({ ...LISTING, name: text })).toBe(`name: must be text with ${NAME_RULE}`);
    expect(reasonOf({ ...LISTING, tags: ['fine', text] })).toBe(`tags: each must be text with ${NAME_RULE}`);
    expect(reasonOf({ ...ARTIFACT, name: text })).toBe(`name: must be text with ${NAME_RULE}`);
  });

  it('loses an invisible display name, and is refused for one that changes the direction of text', () => {
    expect(shownOf({ ...CREATOR, displayName: '\u200b\u3164' })).toMatchObject({ displayName: null });
    expect(shownOf({ ...ACCOUNT, name: ' \u2800 ' })).toMatchObject({ name: null });
    expect(reasonOf({ ...CREATOR, displayName: 'a\u202eb' })).toBe(
      `displayName: must be text with ${NAME_RULE}`,
    );
    expect(reasonOf({ ...ACCOUNT, name: 'a\u2067b' })).toBe(`name: must be text with ${NAME_RULE}`);
  });
});

it.each([
  '2028-02-29T23:59:59.999999Z',
  '2026-12-31T00:00:00.000001Z',
  '2026-01-30T10:00:00.000000Z',
  '2026-01-31T10:00:00.000000Z',
  '0001-01-01T00:00:00.000000Z',
  '9999-12-31T23:59:59.999999Z',
])('%s is a time of the database', (text) => {
  expect(isUtcText(text)).toBe(true);
});

it.each([
  '2026-02-29T00:00:00.000000Z',
  '2026-02-30T00:00:00.000000Z',
  '2026-04-31T00:00:00.000000Z',
  '2026-00-10T00:00:00.000000Z',
  '2026-13-01T00:00:00.000000Z',
  '2026-01-32T00:00:00.000000Z',
  '2026-01-01T24:00:00.000000Z',
  '2026-01-01T00:60:00.000000Z',
  '2026-01-01T00:00:60.000000Z',
  '0000-01-01T00:00:00.000000Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.000000+01:00',
  '',
])('%j is none', (text) => {
  expect(isUtcText(text)).toBe(false);
});

describe('names of a request that an answer repeats', () => {
  it('are all listed, up to ten', () => {
    expect(listNames(['page'])).toBe('"page"');
    expect(listNames([...'abcdefghij'])).toBe('"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"');
  });

  it('are limited to the first ten, with the number of the others', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`);

    const text = listNames(names);

    expect(text).toMatch(/^"p0", "p1", .*"p9" and 1990 more$/);
    expect(text.length).toBeLessThan(100);
  });

  it('are shortened and well-formed', () => {
    expect(printable('x'.repeat(60))).toBe(`"${'x'.repeat(40)}…"`);
    expect(printable('a"b\ud800')).toBe('"a\\"b\ufffd"');
    expect(printable(`${'x'.repeat(39)}🙂y`)).toBe(`"${'x'.repeat(39)}\ufffd…"`);
  });
});
