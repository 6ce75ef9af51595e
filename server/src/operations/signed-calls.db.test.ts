import { hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { compactVerify, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { setClock } from '../../testing/clock.ts';
import {
  credentialOf,
  giveCredits,
  makeAccount,
  makeListing,
  type TestAccount,
} from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { createSyncStandIn } from '../../testing/stand-ins/stand-in-backend.ts';
import { lookUpReceipt, readReceipt } from '../billing/receipts/read-receipts.ts';
import { presentReceipt } from '../billing/receipts/receipts.handlers.ts';
import { createPublicUrls } from '../catalog/subjects/public-path.ts';
import type { Database } from '../platform/database/connect.ts';
import { embeddedBackend } from '../scoring/embedded/embedded-backend.ts';
import { SCORE_LIFE_MS } from '../scoring/signing/score-claims.ts';
import { createScoreSigner, type ScoreSigner } from '../scoring/signing/score-signer.ts';
import { signCurrentScore } from '../scoring/signing/sign-current-score.ts';
import { createKey, parseKeySet } from '../scoring/signing/signing-keys.ts';
import { presentOperation } from './operations.handlers.ts';
import type { OperationOutcome, OperationParts } from './run-operation.ts';

const world = useOperations();

const ISSUER = 'https://directory.example';
const keys = parseKeySet(JSON.stringify(createKey()), 'the key of this test');
const signer = createScoreSigner(ISSUER, keys);
const EMBEDDED: Partial<OperationParts> = { signer, backend: embeddedBackend };

/** Awaits a settled call and returns it with its signature. */
async function settled(outcome: Promise<OperationOutcome>) {
  const made = await outcome;
  if (made.kind !== 'settled' || !made.settled.signature)
    throw new Error(`${made.kind}, without a signature`);
  return { ...made, signature: made.settled.signature, version: made.settled.scoreVersion };
}

/** Verifies a signature with the library and returns its content. */
async function contentOf(jws: string): Promise<Record<string, unknown>> {
  const { payload } = await compactVerify(jws, await importJWK(signer.publicKeys[0] as object, 'EdDSA'));
  return JSON.parse(new TextDecoder().decode(payload));
}

async function receiptOf(account: TestAccount, ledgerId: string) {
  const found = await lookUpReceipt(world.database, credentialOf(account.key), ledgerId);
  return presentReceipt(await readReceipt(world.database, createPublicUrls(ISSUER), found, ledgerId));
}

const currentVersion = async () => {
  const [row] = await world.database.query<{ current: string; ranked: string }>(
    `SELECT utc_text(s.current_version) AS current, utc_text(k.score_version) AS ranked
     FROM subject s JOIN listing_rank k ON k.subject_id = s.id WHERE s.id = $1`,
    [world.listing.subjectId],
  );
  return row;
};

const signedAgain = async () => {
  const subject = { id: world.listing.subjectId, name: 'a later name', repository: 'later/name' };
  const again = await signCurrentScore(world.database, signer, subject);
  if (!again) throw new Error('no score');
  return again;
};

describe.each([
  ['the embedded method', EMBEDDED],
  ['another backend', { signer }],
])('a call that is scored by %s', (_, change) => {
  it('returns the signed score, which says what the answer says', async () => {
    const account = await makeAccount(world.database);

    const made = await settled(world.run(account, {}, change));

    const { record } = made.score;
    const content = await contentOf(made.signature.jws);
    expect(content).toMatchObject({
      iss: ISSUER,
      sub: world.listing.subjectId,
      subject: { canonical_id: world.listing.subjectId, type: 'agent', repository: world.listing.repository },
      scores: { trust: record.trust, confidence: record.confidence },
      score_version: made.version,
      exp: Math.floor((Date.parse(made.version) + SCORE_LIFE_MS) / 1000),
    });
    expect(await currentVersion()).toEqual({ current: made.version, ranked: made.version });
  });

  it('leaves the SHA-256 on its receipt and in every replay, where no score is', async () => {
    const account = await makeAccount(world.database);
    const idempotencyKey = 'one-key';

    const { signature, ledgerId } = await settled(world.run(account, { idempotencyKey }, change));
    const replay = await world.run(account, { idempotencyKey }, change);

    const sha256 = hash('sha256', signature.jws, 'hex');
    const request = { operation: 'agent_score', channel: 'api' } as Parameters<typeof presentOperation>[0];
    expect(presentOperation(request, replay)).toMatchObject({ result: null, signature_sha256: sha256 });
    expect(await receiptOf(account, ledgerId)).toMatchObject({ signature_sha256: sha256 });
  });

  it('is signed again with the same bytes, under its own names and within its week', async () => {
    const account = await makeAccount(world.database);
    await world.run(account, {}, change);

    const { signature, version } = await settled(world.run(account, {}, change));
    const again = await signedAgain();

    expect(again).toMatchObject({ jws: signature.jws, version });
  });
});

describe('a score that is older than a week', () => {
  it('is stated again for a week, a whole number of weeks after its version', async () => {
    const { version } = await settled(world.run(await makeAccount(world.database), {}, EMBEDDED));
    await setClock(world.database, new Date(Date.parse(version) + 2.5 * SCORE_LIFE_MS).toISOString());

    const again = await contentOf((await signedAgain()).jws);

    expect(again).toMatchObject({
      score_version: version,
      iat: Math.floor((Date.parse(version) + 2 * SCORE_LIFE_MS) / 1000),
      exp: Math.floor((Date.parse(version) + 3 * SCORE_LIFE_MS) / 1000),
    });
  });
});

describe('signed calls at the same time', () => {
  it('about one subject have different versions, and the newest becomes the current one', async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, () => makeAccount(world.database)));

    const made = await Promise.all(accounts.map((account) => settled(world.run(account, {}, EMBEDDED))));

    const versions = made.map(({ version }) => version).sort();
    expect(new Set(versions).size).toBe(accounts.length);
    expect(await currentVersion()).toEqual({ current: versions.at(-1), ranked: versions.at(-1) });
    for (const { signature, version } of made)
      expect(await contentOf(signature.jws)).toMatchObject({ score_version: version });
  });

  it('of two processes with the same version are both charged, with another version for the later one', async () => {
    const accounts = await Promise.all(Array.from({ length: 2 }, () => makeAccount(world.database)));
    const listing = await makeListing(world.database);
    const clock = new Date();
    await setClock(world.database, clock.toISOString());
    // Two signers with equal counters simulate two processes that create the same score version.
    const twins = [1, 2].map(() => createScoreSigner(ISSUER, keys));

    const made = await Promise.all(
      accounts.map((account, n) =>
        settled(
          world.run(account, { subject: listing.repository }, { ...EMBEDDED, signer: twins[n] ?? null }),
        ),
      ),
    );

    expect(new Set(made.map(({ version }) => version)).size).toBe(2);
    for (const { signature, version, ledgerId } of made) {
      expect(await contentOf(signature.jws)).toMatchObject({ score_version: version });
      const [run] = await world.database.query(
        'SELECT signature_sha256 AS sha256, utc_text(score_version) AS version FROM ended_run WHERE ledger_id = $1',
        [ledgerId],
      );
      expect(run).toEqual({ sha256: signature.sha256, version });
    }
  });
});

describe('a signed score whose facts are older than the current version', () => {
  it('becomes part of the history: the current version and the ranking stay', async () => {
    const account = await makeAccount(world.database);
    await giveCredits(world.database, account.accountId, 100);
    const later = await settled(world.run(account, {}, EMBEDDED));
    await setClock(world.database, new Date(Date.parse(later.version) - 60_000).toISOString());

    const made = await settled(world.run(account, {}, EMBEDDED));

    expect(made.version < later.version).toBe(true);
    expect(await currentVersion()).toEqual({ current: later.version, ranked: later.version });
  });
});

it('calls of one look-up are charged in one statement, however long each signature takes', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => makeAccount(world.database)));
  // The first call of an account opens its month, and looks up the account again.
  for (const account of accounts) await settled(world.run(account, {}, EMBEDDED));
  const sizes = { lookUp: [] as number[], charge: [] as number[] };
  const query: Database['query'] = (sql, bind = []) => {
    const kind = sql.includes('INSERT INTO ended_run')
      ? 'charge'
      : sql.includes('key_hash')
        ? 'lookUp'
        : null;
    if (kind !== null) sizes[kind].push(JSON.parse(String(bind[0])).length);
    return world.database.query(sql, bind);
  };
  let signed = 0;
  const slow: ScoreSigner = {
    ...signer,
    async signNew(score) {
      for (let turns = 10 * signed++; turns > 0; turns -= 1) await turn();
      return signer.signNew(score);
    },
  };
  const parts = { ...EMBEDDED, signer: slow, database: { ...world.database, query } };

  await Promise.all(accounts.map((account) => settled(world.run(account, {}, parts))));

  expect(sizes).toEqual({ lookUp: [4], charge: [4] });
});

describe.each([
  ['the embedded method', { backend: embeddedBackend }],
  ['another backend', {}],
])('a score of %s that cannot be signed', (_, change) => {
  it('is not charged, holds nothing, and can be asked for again at once', async () => {
    const account = await makeAccount(world.database);
    const idempotencyKey = 'retried';
    const broken = { ...signer, signNew: () => Promise.reject(new Error('no signature')) };

    await expect(world.run(account, { idempotencyKey }, { ...change, signer: broken })).rejects.toThrow();
    expect(await world.totals(account)).toMatchObject({ used: 0, held: 0 });

    await settled(world.run(account, { idempotencyKey }, { ...change, signer }));
    expect(await world.totals(account)).toMatchObject({ used: 1, held: 0 });
  });
});

describe('without a key', () => {
  it('nothing is signed: no signature, and no hash on the receipt and in the replay', async () => {
    const account = await makeAccount(world.database);
    const idempotencyKey = 'unsigned';
    const change = { backend: createSyncStandIn() };

    const made = await world.run(account, { idempotencyKey }, change);
    const replay = await world.run(account, { idempotencyKey }, change);

    if (made.kind !== 'settled') throw new Error(made.kind);
    expect(made.settled.signature).toBeNull();
    expect(replay).toMatchObject({ kind: 'replay', run: { signatureSha256: null } });
    expect(await receiptOf(account, made.ledgerId)).toMatchObject({ signature_sha256: null });
  });
});
