import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../../server/src/scoring/embedded/current-method.ts';
import { scoreByMethod } from '../../../server/src/scoring/embedded/embedded-backend.ts';
import { acceptScore } from '../../../server/src/scoring/scores/accept-score.ts';
import type { ScoreRequest } from '../../../server/src/scoring/scoring-backend.ts';
import { createScoreSigner } from '../../../server/src/scoring/signing/score-signer.ts';
import { createKey, parseKeySet } from '../../../server/src/scoring/signing/signing-keys.ts';
import { expectEveryRow } from '../../../server/testing/every-row.ts';
import { ACCOUNT_VECTORS } from '../../../server/testing/scoring/account-vectors.ts';
import { CREATOR_VECTORS } from '../../../server/testing/scoring/creator-vectors.ts';
import { GOLDEN_VECTORS, scoreRequest } from '../../../server/testing/scoring/golden-vectors.ts';
import { runCommand } from '../../test/command-run.ts';
import { CLOSED_ADDRESS, standIn } from '../../test/stand-in.ts';

const ISSUER = 'https://directory.example';
const VERSION = '2026-11-21T12:00:00.000417Z';
const WITHIN = ['--at', '2026-11-22T00:00:00Z'];
const signer = createScoreSigner(ISSUER, parseKeySet(JSON.stringify(createKey()), 'the key of this test'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-verify-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function file(content: unknown): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.json`);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const REQUESTS: ScoreRequest[] = [
  ...GOLDEN_VECTORS.filter(({ status }) => status !== 'incomplete').map(({ facts }) => scoreRequest(facts)),
  ...CREATOR_VECTORS.map(({ facts }) => scoreRequest(facts, 'creator')),
  ...ACCOUNT_VECTORS.map(({ facts, type }) => scoreRequest(facts, type)),
];

async function signed(
  request: ScoreRequest = REQUESTS[0] as ScoreRequest,
  source = 'embedded',
  change: (record: ReturnType<typeof acceptScore>['record']) => object = () => ({}),
  method = METHODS.at(-1),
): Promise<string> {
  const { record } = acceptScore(scoreByMethod(request, method), request, source);
  const stored = {
    subjectId: request.subject.id,
    version: VERSION,
    record: { ...record, ...change(record) },
  };
  return (await signer.signStored(stored, new Date(VERSION))).jws;
}

const keys = () => file({ keys: signer.publicKeys });

describe('verify', () => {
  it('accepts a document from every kind of file, offline', async () => {
    const jws = await signed();
    const offline = ['--issuer', ISSUER, '--jwks', await keys(), ...WITHIN];
    const contents = [
      `${jws}\n`,
      { jws, sha256: 'x' },
      { ok: true, result: { score_evidence: { signature: jws } } },
    ];

    for (const content of contents) {
      const run = await runCommand(['verify', await file(content), ...offline], {
        environment: { TRUST_DIRECTORY_URL: CLOSED_ADDRESS },
      });
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      expect(run.stdout).toContain(`signed by    ${ISSUER}`);
    }
  });

  it('reads the keys of the configured service, and prints JSON', async () => {
    const server = await standIn({ body: { keys: signer.publicKeys } });
    const own = createScoreSigner(server.url, parseKeySet(JSON.stringify(createKey()), 'another key'));
    const path = await file(await signed());
    const environment = { TRUST_DIRECTORY_URL: server.url };

    const foreign = await runCommand(['verify', path, ...WITHIN], { environment });
    const named = await runCommand([
      'verify',
      path,
      ...WITHIN,
      '--json',
      '--issuer',
      ISSUER,
      '--jwks',
      await keys(),
    ]);

    expect(own.publicKeys).toHaveLength(1);
    expect(foreign).toMatchObject({ exitCode: 10, stdout: '' });
    expect(foreign.stderr).toMatch(/wrong_issuer/);
    expect(server.seen.map((each) => each.path)).toEqual(['/.well-known/jwks.json']);
    expect(JSON.parse(named.stdout)).toMatchObject({ iss: ISSUER, score_version: VERSION });
  });

  it.each([
    [
      10,
      'an expired document',
      async () => [
        await file(await signed()),
        '--issuer',
        ISSUER,
        '--jwks',
        await keys(),
        '--at',
        '2026-12-01T00:00:00Z',
      ],
    ],
    [
      10,
      'a score of another subject',
      async () => [
        await file(await signed()),
        ...['--issuer', ISSUER, '--jwks', await keys(), ...WITHIN, '--subject', ISSUER],
      ],
    ],
    [2, 'a signature in a list', async () => [await file({ jws: [await signed()] }), '--issuer', ISSUER]],
    [
      2,
      'an answer in an answer',
      async () => [await file({ jws: { jws: await signed() } }), '--issuer', ISSUER],
    ],
    [2, 'more than 8 MiB', async () => [await file('a'.repeat(8 * 1024 * 1024 + 1)), '--issuer', ISSUER]],
    [2, 'a device that never ends', async () => ['/dev/zero', '--issuer', ISSUER]],
    [
      10,
      'a text that is no signed score',
      async () => [await file('hello'), '--issuer', ISSUER, '--jwks', await keys()],
    ],
    [6, 'keys that cannot be read', async () => [await file(await signed()), '--issuer', CLOSED_ADDRESS]],
    [2, 'a file that is not there', async () => ['/nonexistent', '--issuer', ISSUER]],
    [2, 'JSON without a signature', async () => [await file({ ok: true }), '--issuer', ISSUER]],
    [2, 'no issuer', async () => [await file(await signed())]],
    [2, 'an issuer that is no address', async () => [await file(await signed()), '--issuer', 'directory']],
    [
      2,
      'keys that are no set',
      async () => [await file(await signed()), '--issuer', ISSUER, '--jwks', await file({})],
    ],
    [
      2,
      'a time that is none',
      async () => [await file(await signed()), '--issuer', ISSUER, '--at', 'yesterday'],
    ],
  ] as [number, string, () => Promise<string[]>][])('ends with %i for %s', async (exitCode, _, args) => {
    const run = await runCommand(['verify', ...(await args())]);

    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).not.toBe('');
  });
});

describe('recompute', () => {
  it('computes every published vector again, by the method that it names', async () => {
    const rows = REQUESTS.flatMap((request) => METHODS.map((method) => ({ request, method })));

    await expectEveryRow(
      rows,
      ({ request, method }) => `${method.version} ${JSON.stringify(request.facts)}`,
      async ({ request, method }) => {
        if (scoreByMethod(request, method).status === 'incomplete') return;
        const path = await file(await signed(request, 'embedded', undefined, method));

        const run = await runCommand(['recompute', path, '--json']);

        expect(JSON.parse(run.stdout)).toMatchObject({ method: method.version, same: true, differences: [] });
        expect(run.exitCode).toBe(0);
      },
    );
  });

  it.each([
    ['trust', () => ({ trust: 99.9 })],
    ['tier', () => ({ tier: 'low' })],
    ['contributions', () => ({ contributions: [] })],
    ['caps', () => ({ caps: [{ cap: 'archived', limit: 40, raw: 60, final: 40 }] })],
  ] as [string, () => object][])('says that %s does not follow from the inputs', async (name, change) => {
    const path = await file(await signed(undefined, 'embedded', change));

    const run = await runCommand(['recompute', path, '--json']);

    expect(run.exitCode).toBe(10);
    expect(JSON.parse(run.stdout).differences).toMatchObject([{ name }]);
  });

  it('says why it cannot compute the score of another backend', async () => {
    const run = await runCommand(['recompute', await file(await signed(undefined, 'scores.example'))]);

    expect(run).toMatchObject({ exitCode: 9, stdout: '' });
    expect(run.stderr).toMatch(/another backend \(scores\.example\).*can't be computed again/s);
  });

  it('refuses inputs of another type, and texts that are no signed score', async () => {
    const mixed = await signed(undefined, 'embedded', ({ inputs }) => ({
      inputs: { ...inputs, subjectType: 'creator' },
    }));

    expect(await runCommand(['recompute', await file(mixed)])).toMatchObject({ exitCode: 10, stdout: '' });
    expect(await runCommand(['recompute', await file('hello')])).toMatchObject({ exitCode: 10, stdout: '' });
  });

  it('refuses what readers may understand differently, and what is nested without end', async () => {
    const [head = '', body = ''] = (await signed()).split('.');
    const content = Buffer.from(body, 'base64url').toString();
    const endless = `[${'['.repeat(50_000)}${']'.repeat(50_000)}]`;
    for (const changed of [
      content.replace('"trust":', '"trust":99,"trust":'),
      content.replace(/"caps":\[.*?\]/, `"caps":${endless}`),
      content.replace('"inputs":{', `"inputs":{"a":${endless},`),
      content.replace(/"exp":\d+/, '"exp":1e300'),
    ]) {
      const path = await file(`${head}.${Buffer.from(changed).toString('base64url')}.`);

      const run = await runCommand(['recompute', path, '--json']);

      expect(changed).not.toBe(content);
      expect(run).toMatchObject({ exitCode: 10, stdout: '' });
      expect(run.stderr).toContain('No signed score (malformed)');
    }
  });
});
