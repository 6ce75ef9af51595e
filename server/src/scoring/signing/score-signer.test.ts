import { createRequire } from 'node:module';
import { compactVerify, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_VECTORS } from '../../../testing/scoring/account-vectors.ts';
import { CREATOR_VECTORS } from '../../../testing/scoring/creator-vectors.ts';
import { GOLDEN_VECTORS, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import { METHODS } from '../embedded/current-method.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import { acceptScore } from '../scores/accept-score.ts';
import { createScoreSigner, provideToBase64 } from './score-signer.ts';
import { createKey, parseKeySet } from './signing-keys.ts';

const canonicalize = createRequire(import.meta.url)('canonicalize') as (value: unknown) => string;

const ISSUER = 'https://directory.example';
const VERSION = '2026-11-21T12:00:00.000417Z';
const keys = parseKeySet(JSON.stringify({ keys: [createKey(), createKey()] }), 'the keys of this test');
const signer = createScoreSigner(ISSUER, keys);

async function payloadOf(jws: string): Promise<string> {
  const { payload, protectedHeader } = await compactVerify(
    jws,
    await importJWK(signer.publicKeys[0] as object, 'EdDSA'),
  );
  expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: keys[0].kid, typ: 'trust-score+jwt' });
  return new TextDecoder().decode(payload);
}

const REQUESTS = [
  ...GOLDEN_VECTORS.filter(({ status }) => status !== 'incomplete').map(({ facts }) => scoreRequest(facts)),
  ...CREATOR_VECTORS.map(({ facts }) => scoreRequest(facts, 'creator')),
  ...ACCOUNT_VECTORS.map(({ facts, type }) => scoreRequest(facts, type)),
];

describe('the content of a signed score', () => {
  it('is canonical JSON, for every published vector', async () => {
    for (const request of REQUESTS) {
      const { record } = acceptScore(scoreByMethod(request), request, 'embedded');

      const { jws } = await signer.signStored(
        { subjectId: request.subject.id, version: VERSION, record },
        request.now,
      );

      const payload = await payloadOf(jws);
      expect(payload).toBe(canonicalize(JSON.parse(payload)));
      expect(JSON.parse(payload)).toMatchObject({
        inputs_hash: `sha256:${record.inputs_hash}`,
        inputs: { subjectType: request.subject.type, facts: request.facts },
        scores: { trust: record.trust, tier: record.tier },
      });
    }
  });

  it.each(METHODS.map(({ version }) => version))('names the method %s', async (version) => {
    const [request] = REQUESTS;
    if (!request) throw new Error('no vector');
    const method = METHODS.find((each) => each.version === version);
    const { record } = acceptScore(scoreByMethod(request, method), request, 'embedded');

    const { jws } = await signer.signStored({ subjectId: 'a', version: VERSION, record }, request.now);

    expect(JSON.parse(await payloadOf(jws))).toMatchObject({ method: version });
  });

  it('calls the method of another backend remote, whatever that says of itself', async () => {
    const [request] = REQUESTS;
    if (!request) throw new Error('no vector');
    const reply = { ...scoreByMethod(request), inputsHash: 'a'.repeat(64), methodVersion: 'rs-2.0.0' };
    const { record } = acceptScore(reply, request, 'scores.example');

    const { jws } = await signer.signStored({ subjectId: 'a', version: VERSION, record }, request.now);

    expect(JSON.parse(await payloadOf(jws))).toMatchObject({
      method: 'remote',
      method_version: 'rs-2.0.0',
      source: 'scores.example',
    });
  });
});

describe('a signature', () => {
  const [request] = REQUESTS;
  if (!request) throw new Error('no vector');
  const score = acceptScore(scoreByMethod(request), request, 'embedded');

  it('has the same bytes if it is made again', async () => {
    const stored = { subjectId: score.subjectId, version: VERSION, record: score.record };

    const made = await Promise.all(
      [signer, createScoreSigner(ISSUER, keys)].map((each) => each.signStored(stored, request.now)),
    );

    expect(made[0]).toEqual(made[1]);
  });

  it('of a new score has a version of its own, in the millisecond in which the facts were read', async () => {
    const made = await Promise.all([1, 2, 3].map(() => signer.signNew(score)));

    expect(new Set(made.map(({ version }) => version)).size).toBe(3);
    for (const { version } of made)
      expect(version).toMatch(new RegExp(`^${score.record.inputs.now.slice(0, -1)}\\d{3}Z$`));
  });
});

it('encodes Base64 as the standard says, with every alphabet, padding and length', () => {
  provideToBase64();
  for (const length of [0, 1, 2, 3, 255]) {
    const bytes = Uint8Array.from({ length: length + 2 }, (_, n) => 255 - n).subarray(2) as Uint8Array & {
      toBase64(options?: object): string;
    };
    const [padded, bare] = [Buffer.from(bytes).toString('base64'), Buffer.from(bytes).toString('base64url')];
    expect(bytes.toBase64()).toBe(padded);
    expect(bytes.toBase64({ omitPadding: true })).toBe(padded.replaceAll('=', ''));
    expect(bytes.toBase64({ alphabet: 'base64url', omitPadding: true })).toBe(bare);
    expect(bytes.toBase64({ alphabet: 'base64url' })).toBe(bare + padded.slice(bare.length));
  }
});
