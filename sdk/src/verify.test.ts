import { createHmac, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectEveryRow } from '../../server/testing/every-row.ts';
import { standIn } from '../test/stand-in.ts';
import { canonicalJson } from './resources/score-document.ts';
import {
  ConfigurationError,
  ConnectionError,
  decodeScore,
  type SigningKeys,
  TrustDirectoryError,
  VerificationError,
  type VerifyOptions,
  verifyScore,
} from './verify.ts';

const ISSUER = 'https://directory.example';
const NOW = new Date('2026-11-20T10:00:00Z');
const ISSUED = Date.parse('2026-11-20T09:14:03Z') / 1000;
const INPUTS = { subjectType: 'skill', facts: { stars: { value: 3018 }, é: 'ü' } };

const hashOf = (value: unknown) => `sha256:${hash('sha256', canonicalJson(value), 'hex')}`;

const DOCUMENT = {
  iss: ISSUER,
  sub: 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88',
  iat: ISSUED,
  exp: ISSUED + 7 * 86_400,
  subject: {
    canonical_id: 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88',
    type: 'skill',
    name: 'agent-sprite-forge',
    repository: '0x0funky/agent-sprite-forge',
  },
  method: 'rs-2.0.0',
  method_version: 'rs-2.0.0',
  source: 'embedded',
  inputs: INPUTS,
  inputs_hash: hashOf(INPUTS),
  scored_at: '2026-11-20T09:14:03.482Z',
  contributions: [],
  caps: [],
  scores: { trust: 62.8, confidence: 30, lower_bound: 40, tier: 'medium' },
  score_version: '2026-11-20T09:14:03.482915Z',
};

function keyPair(kid = 'key-1') {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } as const;
  return { privateKey, jwk };
}

const own = keyPair();
const foreign = keyPair();
const KEYS: SigningKeys = { keys: [own.jwk] };
const HEADER = { alg: 'EdDSA', kid: 'key-1', typ: 'trust-score+jwt' };

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Returns another letter of base64url, which differs in the last bit. */
const nextLetter = (letter = 'A') => LETTERS[LETTERS.indexOf(letter) ^ 1];

const encode = (text: string) => Buffer.from(text).toString('base64url');

function jws(document: unknown = DOCUMENT, header: object = HEADER, key: KeyObject = own.privateKey): string {
  const text = typeof document === 'string' ? document : canonicalJson(document);
  const signed = `${encode(JSON.stringify(header))}.${encode(text)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

const options = (changes: Partial<VerifyOptions> = {}): VerifyOptions => ({
  issuer: ISSUER,
  keys: KEYS,
  now: NOW,
  ...changes,
});

async function failureOf(document: string, changes: Partial<VerifyOptions> = {}): Promise<unknown> {
  return verifyScore(document, options(changes)).catch((error) => error);
}

afterEach(() => void vi.unstubAllGlobals());

describe('a signed score', () => {
  it('is answered with its content, its key and its SHA-256', async () => {
    const signed = jws();

    const verified = await verifyScore(`${signed}\n`, options());

    expect(verified).toEqual({ ...DOCUMENT, keyId: 'key-1', sha256: hash('sha256', signed, 'hex') });
  });

  it('is verified by the key that it names, among several', async () => {
    const next = keyPair('key-2');

    const keys = { keys: [next.jwk, own.jwk] };

    expect(await verifyScore(jws(), options({ keys }))).toMatchObject({ keyId: 'key-1' });
    expect(
      await verifyScore(jws(DOCUMENT, { ...HEADER, kid: 'key-2' }, next.privateKey), options({ keys })),
    ).toMatchObject({ keyId: 'key-2' });
  });

  it('is verified for the subject that the caller expects', async () => {
    expect(await verifyScore(jws(), options({ subject: DOCUMENT.sub.toUpperCase() }))).toBeDefined();
  });

  it('may have members that this version does not know', async () => {
    expect(await verifyScore(jws({ ...DOCUMENT, later: true }), options())).toMatchObject({ later: true });
  });
});

describe('what must not be believed', () => {
  const [head = '', body = '', seal = ''] = jws().split('.');
  const tampered = encode(canonicalJson({ ...DOCUMENT, scores: { ...DOCUMENT.scores, trust: 99 } }));
  const twice = canonicalJson(DOCUMENT).replace('"iat"', '"exp":4000000000,"iat"');
  const withHeader = (member: object) => jws(DOCUMENT, { ...HEADER, ...member });
  const hmac = (secret: string) => {
    const signed = `${encode(JSON.stringify({ ...HEADER, alg: 'HS256' }))}.${body}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };
  const swappedHead = (algorithm: string) =>
    `${encode(JSON.stringify(HEADER).replace('"alg":"EdDSA"', algorithm))}.${body}.${seal}`;
  type Row = [name: string, jws: string, code: string, changes?: Partial<VerifyOptions>];
  const ROWS: Row[] = [
    ['an empty text', '', 'malformed'],
    ['two parts', `${head}.${body}`, 'bad_signature'],
    ['four parts', `${head}.${body}.${seal}.x`, 'malformed'],
    ['no base64url', `${head}.${body}.${seal}=`, 'malformed'],
    [
      'another spelling of the signature',
      `${head}.${body}.${seal.slice(0, -1)}${nextLetter(seal.at(-1))}`,
      'malformed',
    ],
    ['another signature', `${head}.${body}.${nextLetter(seal[0])}${seal.slice(1)}`, 'bad_signature'],
    ['a text that is no JSON', jws('scores'), 'malformed'],
    ['a document in a list', JSON.stringify([jws()]), 'malformed'],
    ['a document in the JSON form of a JWS', JSON.stringify({ payload: body, signature: seal }), 'malformed'],
    ['a signed document as the content of another', jws(JSON.stringify(jws())), 'malformed'],
    ['more characters than a document may have', `${head}.${'A'.repeat(1_000_000)}.${seal}`, 'malformed'],
    ['a document without scores', jws({ ...DOCUMENT, scores: undefined }), 'malformed'],
    ['another subject in sub', jws({ ...DOCUMENT, sub: 'x' }), 'malformed'],
    ['a changed score', `${head}.${tampered}.${seal}`, 'bad_signature'],
    ['a foreign key of the same id', jws(DOCUMENT, HEADER, foreign.privateKey), 'bad_signature'],
    ['an unknown key', jws(DOCUMENT, { ...HEADER, kid: 'key-9' }), 'unknown_key'],
    [
      'alg none without a signature',
      `${encode(JSON.stringify({ ...HEADER, alg: 'none' }))}.${body}.`,
      'wrong_algorithm',
    ],
    ['another algorithm', withHeader({ alg: 'HS256' }), 'wrong_algorithm'],
    ['an HMAC whose secret is the public key', hmac(own.jwk.x), 'wrong_algorithm'],
    ['an HMAC whose secret is the text of the public key', hmac(JSON.stringify(own.jwk)), 'wrong_algorithm'],
    ['an algorithm in a list', withHeader({ alg: ['EdDSA'] }), 'wrong_algorithm'],
    ['an algorithm in other letters', withHeader({ alg: 'EDDSA' }), 'wrong_algorithm'],
    ['no algorithm', withHeader({ alg: undefined }), 'wrong_algorithm'],
    ['a header that is a list', `${encode('["EdDSA"]')}.${body}.${seal}`, 'wrong_algorithm'],
    ['a header that is null', `${encode('null')}.${body}.${seal}`, 'wrong_algorithm'],
    ['a header with the algorithm twice', swappedHead('"alg":"none","alg":"EdDSA"'), 'bad_signature'],
    ['no key id', withHeader({ kid: undefined }), 'malformed'],
    ['a key id that is no text', withHeader({ kid: 1 }), 'malformed'],
    ['another type', withHeader({ typ: 'JWT' }), 'wrong_type'],
    ['an address of keys (jku)', withHeader({ jku: 'https://evil.example/keys' }), 'forbidden_header'],
    [
      'an address of certificates (x5u)',
      withHeader({ x5u: 'https://evil.example/certs' }),
      'forbidden_header',
    ],
    ['certificates (x5c)', withHeader({ x5c: ['MIIB'] }), 'forbidden_header'],
    [
      'a key of its own (jwk)',
      jws(DOCUMENT, { ...HEADER, jwk: foreign.jwk }, foreign.privateKey),
      'forbidden_header',
    ],
    ['an extension (crit)', withHeader({ crit: ['exp'] }), 'forbidden_header'],
    ['unencoded content (b64)', withHeader({ b64: false }), 'forbidden_header'],
    ['another issuer', jws({ ...DOCUMENT, iss: 'https://evil.example' }), 'wrong_issuer'],
    ['an issuer that only begins the same', jws({ ...DOCUMENT, iss: `${ISSUER}.evil` }), 'wrong_issuer'],
    ['a member twice', jws(twice), 'malformed'],
    ['spaces', jws(JSON.stringify(DOCUMENT, null, 1)), 'malformed'],
    ['changed inputs', jws({ ...DOCUMENT, inputs: { ...INPUTS, subjectType: 'agent' } }), 'wrong_inputs'],
    ['a document from the future', jws(), 'not_yet_valid', { now: new Date((ISSUED - 61) * 1000) }],
    ['an expired document', jws(), 'expired', { now: new Date(DOCUMENT.exp * 1000) }],
    ['a score of another subject', jws(), 'wrong_subject', { subject: DOCUMENT.sub.replace('b', 'c') }],
    ['a key that the issuer has removed', jws(), 'unknown_key', { keys: { keys: [keyPair('key-2').jwk] } }],
    ['no keys', jws(), 'unknown_key', { keys: { keys: [] } }],
    ...(
      [
        ['of another curve', { crv: 'X25519' }],
        ['of another type', { kty: 'EC', crv: 'P-256' }],
        ['without a point', { x: undefined }],
        ['that is cut off', { x: own.jwk.x.slice(0, 20) }],
      ] as const
    ).map(
      ([name, change]): Row => [
        `a key of the issuer ${name}`,
        jws(),
        'unknown_key',
        { keys: { keys: [{ ...own.jwk, ...change }] } as unknown as SigningKeys },
      ],
    ),
    ...(
      [
        ['exponents', '6.28e1'],
        ['trailing zeros', '62.80'],
        ['more digits than a number has', '62.800000000000000001'],
        ['a sign before zero', '-0'],
        ['a number beyond all numbers', '1e999'],
      ] as const
    ).map(
      ([name, text]): Row => [
        `a number with ${name}`,
        jws(canonicalJson(DOCUMENT).replace('62.8', text)),
        'malformed',
      ],
    ),
    ['an expiry beyond all times', jws({ ...DOCUMENT, exp: 1e300 }), 'malformed'],
    ['an expiry before all times', jws({ ...DOCUMENT, exp: -1e300 }), 'malformed'],
    ['an expiry in fractions', jws({ ...DOCUMENT, exp: DOCUMENT.exp + 0.5 }), 'malformed'],
    ['an expiry that is a text', jws({ ...DOCUMENT, exp: `${DOCUMENT.exp}` }), 'malformed'],
    ['a byte order mark', jws(`\uFEFF${canonicalJson(DOCUMENT)}`), 'malformed'],
    [
      'a member of the scores twice',
      jws(canonicalJson(DOCUMENT).replace('"trust"', '"trust":99,"trust"')),
      'malformed',
    ],
    [
      'a document nested without end',
      jws(
        canonicalJson(DOCUMENT).replace('"caps":[]', `"caps":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
      ),
      'malformed',
    ],
  ];

  it('is refused with a code', async () => {
    await expectEveryRow(
      ROWS,
      ([name]) => name,
      async ([, document, code, changes]) => {
        const failure = await failureOf(document, changes);
        expect(failure).toBeInstanceOf(VerificationError);
        expect(failure).toBeInstanceOf(TrustDirectoryError);
        expect(failure).toMatchObject({ code });
      },
    );
  });

  it('asks no address that the document names', async () => {
    const fetch = vi.fn();
    vi.stubGlobal('fetch', fetch);

    await expectEveryRow(
      ROWS,
      ([name]) => name,
      async ([, document, , changes]) => void (await failureOf(document, changes)),
    );

    expect(fetch).not.toHaveBeenCalled();
  });

  it('is accepted a second before it expires, and by a clock that is a minute behind', async () => {
    const lastSecond = new Date(DOCUMENT.exp * 1000 - 1);

    expect(await verifyScore(jws(), options({ now: lastSecond }))).toBeDefined();
    expect(await verifyScore(jws(), options({ now: new Date((ISSUED - 60) * 1000) }))).toBeDefined();
  });
});

describe('keys from the network', () => {
  it('are read at the issuer that the caller names, without credentials', async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json(KEYS));

    await verifyScore(jws(), { issuer: ISSUER, now: NOW, fetch });

    expect(fetch.mock.calls).toMatchObject([
      [`${ISSUER}/.well-known/jwks.json`, { redirect: 'error', credentials: 'omit' }],
    ]);
  });

  it('may be at another address', async () => {
    const server = await standIn({ body: KEYS });

    await verifyScore(jws(), { issuer: ISSUER, now: NOW, jwksUrl: `${server.url}/keys` });

    expect(server.seen.map(({ path }) => path)).toEqual(['/keys']);
  });

  it('that redirect, fail or are no keys are errors without a verdict', async () => {
    const redirecting = await standIn({ status: 302, headers: { location: '/elsewhere' }, body: {} });
    const failing = await standIn({ status: 500, body: {} });
    const strange = await standIn({ body: { keys: 'none' } });
    const readAt = ({ url }: { url: string }) =>
      verifyScore(jws(), { issuer: ISSUER, now: NOW, jwksUrl: url }).catch((error) => error);

    expect(await readAt(redirecting)).toBeInstanceOf(ConnectionError);
    expect(await readAt(failing)).toBeInstanceOf(ConnectionError);
    expect((await readAt(strange)).message).toMatch(/is no set of keys/);
    expect(redirecting.seen).toHaveLength(1);
  });

  it('may come from a fetch function whose body is a stream of Node', async () => {
    const fetch = async () =>
      ({ ok: true, body: Readable.from([JSON.stringify(KEYS)]) }) as unknown as Response;

    expect(await verifyScore(jws(), { issuer: ISSUER, now: NOW, fetch })).toBeDefined();
  });

  it('that do not end are read no further than a set of keys may be long', async () => {
    let parts = 0;
    const body = new ReadableStream({
      pull(controller) {
        parts += 1;
        if (parts > 100) throw new Error('read on');
        controller.enqueue(new Uint8Array(8_192));
      },
    });
    const fetch = async () => new Response(body);

    const failure = await verifyScore(jws(), { issuer: ISSUER, now: NOW, fetch }).catch((error) => error);

    expect(failure.message).toMatch(/is no set of keys/);
    expect(parts).toBeLessThan(20);
  });
});

describe('an invalid option', () => {
  it.each([
    ['no issuer', { issuer: undefined }],
    ['an issuer with a path', { issuer: `${ISSUER}/a` }],
    ['an issuer with a query', { issuer: `${ISSUER}/?a` }],
    ['an issuer with a password', { issuer: 'https://me:secret@directory.example' }],
    ['a subject that is empty', { subject: '' }],
    ['another scheme', { issuer: 'ftp://directory.example' }],
    ['keys without a set', { keys: [own.jwk] }],
    ['a time that is no Date', { now: '2026-11-20' }],
    ['an address that is none', { jwksUrl: 'keys.json' }],
    ['a misspelt option', { issuers: ISSUER }],
  ])('is a ConfigurationError: %s', async (_, changes) => {
    expect(await failureOf(jws(), changes as object)).toBeInstanceOf(ConfigurationError);
  });
});

describe('a score that is only decoded', () => {
  it('shows its content, although nobody has signed it', () => {
    const [head, body] = jws().split('.');

    expect(decodeScore(`${head}.${body}.`).document).toEqual(DOCUMENT);
  });
});
