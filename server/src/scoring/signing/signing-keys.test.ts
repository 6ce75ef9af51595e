import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { createKey, parseKeySet, publicKeysOf, SigningKeyError } from './signing-keys.ts';

/** Example of RFC 8037, appendix A, with the thumbprint of its appendix A.3. */
const RFC_8037 = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

const set = (...keys: unknown[]) => JSON.stringify({ keys });
const failureOf = (text: string) => {
  try {
    return parseKeySet(text, 'SIGNING_KEY') && null;
  } catch (error) {
    return error as Error;
  }
};

describe('a set of keys', () => {
  it('may be one key, whose id is its thumbprint', () => {
    const [key] = parseKeySet(JSON.stringify(RFC_8037), 'SIGNING_KEY');

    expect(key).toMatchObject({
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      alg: 'EdDSA',
      use: 'sig',
    });
  });

  it('keeps the order: the first signs', () => {
    const [first, second] = [createKey(), createKey()];

    expect(parseKeySet(set(first, second), 'x').map(({ kid }) => kid)).toEqual([first.kid, second.kid]);
  });

  it('may have keys that only verify after the first', () => {
    const { d: _private, ...verifying } = createKey();

    expect(parseKeySet(set(createKey(), verifying), 'x')[1]).not.toHaveProperty('d');
  });

  it('is shown without private parts and notes', () => {
    const shown = publicKeysOf([{ ...createKey(), retired_at: '2026-11-20T00:00:00Z' }]);

    expect(Object.keys(shown[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  });
});

describe('an unusable set of keys', () => {
  const { d, ...verifying } = RFC_8037;
  const other = createKey();
  const ROWS: [string, string, RegExp][] = [
    ['no JSON', `{"d":"${d}"`, /must be a JWK or a JWK set/],
    ['a list', '[]', /1 to 20 keys|must be an Ed25519 key/],
    ['no keys', set(), /1 to 20 keys/],
    ['too many keys', set(...Array(21).fill(RFC_8037)), /1 to 20 keys/],
    ['a key that only verifies', set(verifying), /first key of SIGNING_KEY must be a private key/],
    ['an RSA key', set({ kty: 'RSA', n: d, e: 'AQAB' }), /Key 1 of SIGNING_KEY must be an Ed25519 key/],
    ['another curve', set({ ...RFC_8037, crv: 'X25519' }), /must be an Ed25519 key/],
    ['parts of two keys', set({ ...RFC_8037, x: other.x }), /do not fit together/],
    ['a private part that is cut off', set({ ...RFC_8037, d: d.slice(0, 20) }), /do not fit together/],
    ['the same key twice', set(RFC_8037, verifying), /same key twice/],
    ['a time that is none', set(RFC_8037, { ...other, retired_at: 'soon' }), /invalid time/],
  ];

  it('is refused by a sentence without any part of a private key', async () => {
    await expectEveryRow(
      ROWS,
      ([name]) => name,
      ([, text, reason]) => {
        const failure = failureOf(text);

        expect(failure).toBeInstanceOf(SigningKeyError);
        expect(failure?.message).toMatch(reason);
        expect(`${failure?.stack} ${JSON.stringify(failure)}`).not.toContain(d.slice(0, 12));
      },
    );
  });
});
