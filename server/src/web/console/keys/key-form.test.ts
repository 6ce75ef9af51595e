import { describe, expect, it } from 'vitest';
import { expiryOf, newOneKeyToken, readKeyForm, readOneKeyToken } from './key-form.ts';

describe('the day on which a key expires', () => {
  it('ends with its last second, in UTC', () => {
    expect(expiryOf('2028-02-29')).toBe('2028-02-29T23:59:59.000Z');
  });

  it.each([
    '',
    '2027-02-29',
    '2026-13-01',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00:00Z',
    '99999-01-01',
    'x',
  ])('is null for %j, which is not a day', (text) => {
    expect(expiryOf(text)).toBeNull();
  });
});

describe('the form of a key', () => {
  it('reads a one-line name, and only valid scopes, each once', () => {
    const form = new URLSearchParams({ name: ' my\r\n\tkey ' });
    for (const scope of ['mcp:invoke', 'lineage:read', 'scores:read', 'lineage:read'])
      form.append('scopes', scope);

    expect(readKeyForm(form)).toEqual({
      name: 'my key',
      scopes: ['scores:read', 'lineage:read'],
      expires: '',
    });
  });
});

describe('the token of a form that creates one key', () => {
  const own = { kind: 'session', hash: Buffer.alloc(32, 1) } as const;
  const other = { kind: 'session', hash: Buffer.alloc(32, 2) } as const;

  it('has a new id each time, valid only for its session', () => {
    const [one, two] = [newOneKeyToken(own), newOneKeyToken(own)];

    expect(readOneKeyToken(own, one)).toBe(one.split('.')[0]);
    expect(readOneKeyToken(own, two)).not.toBe(readOneKeyToken(own, one));
    expect(readOneKeyToken(other, one)).toBeNull();
  });

  it.each(['', '.', 'x', 'x.', '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55.x'])(
    'is rejected if it is forged (%j)',
    (text) => {
      expect(readOneKeyToken(own, text)).toBeNull();
    },
  );
});
