import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { requireName } from '../../access/keys/key-fields.ts';
import { cleanTopics } from '../../hosts/readers/repository-reading.ts';
import { cleanName } from '../../hosts/untrusted-answers.ts';
import { parseRow } from '../../intake/import/parse-row.ts';
import { describeViolations } from '../http/contract/describe-violations.ts';
import { loadContract } from '../http/contract/parse-contract.ts';
import { FULL_PATTERNS, NAME } from '../http/contract/validation.ts';
import { isValidName, NAME_PATTERN, NAME_RULE } from './valid-name.ts';

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
