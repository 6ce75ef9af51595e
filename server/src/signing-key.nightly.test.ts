import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { makeAccount, makeListing, type TestAccount, type TestListing } from '../testing/factories.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { runCommand } from '../testing/run-command.ts';
import { type ServerProcess, startServer } from '../testing/server-process.ts';

const run = promisify(execFile);
let folder: string;
let test: TestDatabase;
let account: TestAccount;
let listing: TestListing;
beforeAll(async () => {
  folder = await mkdtemp(join(memoryFolder(), 'trust-directory-signing-'));
  // If run as root, the database runs as another user, who needs access.
  await chmod(folder, 0o711);
  test = await createTestDatabase();
  account = await makeAccount(test.database);
  listing = await makeListing(test.database);
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

interface Keys {
  keys: { kid: string }[];
}

async function keysOf(server: ServerProcess): Promise<string[]> {
  const { keys } = (await (await fetch(`${server.baseUrl}/.well-known/jwks.json`)).json()) as Keys;
  return keys.map(({ kid }) => kid);
}

interface Answer {
  result: { score_evidence: { signature: string | null } } | null;
  ledger_id: string;
  signature_sha256?: string | null;
}

async function call(server: ServerProcess, key: string): Promise<Answer> {
  const response = await fetch(`${server.baseUrl}/api/svc/operations/run`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.key.secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ operation: 'agent_score', subject: listing.repository, idempotency_key: key }),
  });
  return (await response.json()) as Answer;
}

describe('servers that share a database', () => {
  it('sign nothing without a key, and say what to do', async () => {
    const data = join(folder, 'none');
    const server = await startServer(
      { DATABASE_URL: test.url, DATA_DIR: data },
      { entry: 'real', cwd: folder },
    );

    const answer = await call(server, randomUUID());
    const keys = await keysOf(server);
    const signature = await fetch(`${server.baseUrl}/api/subjects/${listing.subjectId}/signature`);
    await server.end('SIGTERM');

    expect(answer.result?.score_evidence.signature).toBeNull();
    expect(keys).toEqual([]);
    expect(signature.status).toBe(404);
    expect(server.output().stderr).toContain(
      'scores are not signed: DATABASE_URL may serve several processes',
    );
    await expect(stat(data)).rejects.toThrow(/ENOENT/);
  });

  it('share the key of a file; a killed server, a restart and a rotation change no hash, and no key leaks', async () => {
    const path = join(folder, 'shared.json');
    const env = { DATABASE_URL: test.url, SIGNING_KEY_FILE: path, LOG_LEVEL: 'trace' };
    const missing = await startServer(env, { entry: 'real', cwd: folder }).catch((error: Error) => error);
    const created = await runCommand(['signing-key', 'create'], env, folder);
    const again = await runCommand(['signing-key', 'create'], env, folder);
    const first = await startServer(env, { entry: 'real', cwd: folder });
    const [firstKey = ''] = await keysOf(first);
    const key = randomUUID();
    const fresh = await call(first, key);
    await first.end('SIGKILL');
    const rotated = await runCommand(['signing-key', 'rotate'], env, folder);
    const second = await startServer(env, { entry: 'real', cwd: folder });

    const replay = await call(second, key);
    const receipt = (await (
      await fetch(`${second.baseUrl}/api/receipts/${fresh.ledger_id}`, {
        headers: { Authorization: `Bearer ${account.key.secret}` },
      })
    ).json()) as Answer;
    const keys = await keysOf(second);
    const jwks = await (await fetch(`${second.baseUrl}/.well-known/jwks.json`)).text();
    await second.end('SIGTERM');

    expect((missing as Error).message).toContain('Create it once with: signing-key create');
    expect(created).toMatchObject({ code: 0, stdout: `created key ${firstKey} in ${path}\n` });
    expect(again.stdout).toBe(`kept key ${firstKey} in ${path}\n`);
    const { createHash } = await import('node:crypto');
    const jws = fresh.result?.score_evidence.signature ?? '';
    const sha256 = createHash('sha256').update(jws).digest('hex');
    expect([replay.signature_sha256, receipt.signature_sha256]).toEqual([sha256, sha256]);
    expect(replay.result).toBeNull();
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(firstKey);

    // A verifier that is not ours accepts the document with the published keys, after the rotation.
    const files = {
      jws: join(folder, 'score.jws'),
      jwks: join(folder, 'keys.json'),
      export: join(folder, 'export'),
    };
    await writeFile(files.jws, jws);
    await writeFile(files.jwks, jwks);
    const payload = JSON.parse((await run('/usr/bin/python3', ['-c', VERIFY, files.jws, files.jwks])).stdout);
    expect(payload).toMatchObject({ sub: listing.subjectId, iss: first.baseUrl });
    const seal = jws.lastIndexOf('.') + 1;
    const tampered = `${jws.slice(0, seal)}${jws[seal] === 'A' ? 'B' : 'A'}${jws.slice(seal + 1)}`;
    await writeFile(files.jws, tampered);
    await expect(run('/usr/bin/python3', ['-c', VERIFY, files.jws, files.jwks])).rejects.toThrow(
      /InvalidJWSSignature/,
    );

    const exported = await runCommand(['database', 'export', files.export], env, folder);
    expect(exported.code).toBe(0);
    const bytes = await readFile(files.export);
    const plain = bytes[0] === 0x1f ? gunzipSync(bytes).toString('latin1') : bytes.toString('latin1');
    const kept = JSON.parse(await readFile(path, 'utf8')) as { keys: { d: string }[] };
    expect(kept.keys).toHaveLength(2);
    const outputs = [first, second].map((server) => JSON.stringify(server.output()));
    const commands = [created, again, rotated, exported].map((result) => JSON.stringify(result));
    for (const { d } of kept.keys)
      for (const text of [plain, jwks, `${(missing as Error).stack}`, ...outputs, ...commands])
        expect(text).not.toContain(d);
    expect(plain).toContain(listing.repository);
  });
});

/** Verifies a document with the library jwcrypto, by the key that its header names, and prints its content. */
const VERIFY = `
import sys
from jwcrypto import jwk, jws
keys = jwk.JWKSet.from_json(open(sys.argv[2]).read())
document = jws.JWS()
document.deserialize(open(sys.argv[1]).read())
document.verify(keys.get_key(document.jose_header['kid']), alg='EdDSA')
sys.stdout.write(document.payload.decode())
`;
