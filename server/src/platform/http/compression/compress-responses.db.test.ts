import { randomUUID } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { makeAccount, makeKey, makeSession } from '../../../../testing/factories.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import { makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { buildApp } from '../../../app.ts';
import { compressResponses } from './compress-responses.ts';

let test: TestDatabase;
let process: ReadingProcess;
let app: FastifyInstance;
const forms = { brotliCompressSync: vi.fn(brotliCompressSync), gzipSync: vi.fn(gzipSync) };

beforeAll(async () => {
  test = await createTestDatabase();
  await makeListing(test.database, { repository: 'owner/skill' });
  for (let place = 0; place < 20; place += 1) {
    await makeListing(test.database, { description: `Does by itself what ${place} people did.` });
  }
  process = await openReadingProcess(test.url);
  app = await buildApp({ ...process.services, compressAnswers: (each) => compressResponses(each, forms) });
});
afterAll(async () => {
  await app?.close();
  await process?.close();
  await test?.close();
});

const ask = (url: string, encoding: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { 'accept-encoding': encoding, ...headers } });

async function run(headers: Record<string, string>) {
  const body = { operation: 'skill_score', subject: 'owner/skill', idempotency_key: randomUUID() };
  return app.inject({ method: 'POST', url: '/api/svc/operations/run', headers, payload: body });
}

const PLAIN = {
  br: (body: Buffer) => brotliDecompressSync(body),
  gzip: (body: Buffer) => gunzipSync(body),
} as const;

describe('public responses', () => {
  it.each([
    '/',
    '/agents',
    '/api/agents',
    '/openapi.yaml',
    '/openapi.json',
    '/method',
    '/sitemap.xml?page=1',
  ])('%s are compressed as the client accepts, and have a Vary header', async (url) => {
    const plain = await app.inject(url);

    for (const encoding of ['br', 'gzip'] as const) {
      const answer = await ask(url, encoding);
      expect(answer.headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(answer.rawPayload.length),
        'content-type': plain.headers['content-type'],
        vary: 'Origin, accept-encoding',
        etag: plain.headers.etag,
      });
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
      expect(PLAIN[encoding](answer.rawPayload).equals(plain.rawPayload)).toBe(true);
    }
    expect(plain.headers).toMatchObject({ vary: 'Origin, accept-encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['identity', undefined],
    ['deflate', undefined],
    ['br;q=0', undefined],
    ['', undefined],
  ])('are sent to a client that accepts “%s” as %s', async (accepted, encoding) => {
    const answer = await ask('/openapi.yaml', accepted);

    expect(answer.headers['content-encoding']).toBe(encoding);
  });

  it('are a 304 without a body for a client that has them, in any form', async () => {
    const { headers } = await ask('/api/agents', 'br');

    const known = await ask('/api/agents', 'gzip', { 'if-none-match': String(headers.etag) });

    expect(known).toMatchObject({ statusCode: 304, body: '' });
    expect(known.headers).toMatchObject({ etag: headers.etag, vary: 'Origin, accept-encoding' });
    expect(known.headers['content-encoding']).toBeUndefined();
  });

  it('are compressed once for all readers of a cached response', async () => {
    const url = '/api/agents?sort=name';
    await app.inject(url);
    forms.brotliCompressSync.mockClear();
    forms.gzipSync.mockClear();

    const answers = [];
    for (const encoding of ['br', 'gzip', 'br', 'gzip', 'br']) answers.push(await ask(url, encoding));

    expect(forms.brotliCompressSync).toHaveBeenCalledTimes(1);
    expect(forms.gzipSync).toHaveBeenCalledTimes(1);
    const texts = answers.map(({ headers, rawPayload }) =>
      String(PLAIN[headers['content-encoding'] as 'br'](rawPayload)),
    );
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] ?? '').total).toBe(21);
  });

  it('are compressed once if they are constants, which no cache of responses has', async () => {
    await ask('/openapi.yaml', 'br');
    forms.brotliCompressSync.mockClear();

    const again = await ask('/openapi.yaml', 'br');

    expect(again.headers['content-encoding']).toBe('br');
    expect(forms.brotliCompressSync).not.toHaveBeenCalled();
  });

  it('go out as they are where they are short, pictures, or asked for by HEAD', async () => {
    const short = await ask('/robots.txt', 'br');
    const head = await app.inject({
      method: 'HEAD',
      url: '/openapi.yaml',
      headers: { 'accept-encoding': 'br' },
    });

    expect(short.rawPayload.length).toBeLessThan(1_024);
    expect(short.headers['content-encoding']).toBeUndefined();
    expect(head.headers['content-encoding']).toBeUndefined();
    expect(head.body).toBe('');
  });
});

describe('where a response could contain a secret and text of the request', () => {
  it('nothing is compressed for a session: no console page, no response, no page that shows a key', async () => {
    const { accountId } = await makeAccount(test.database, { plan: 'builder' });
    const { cookie } = await makeSession(test.database, accountId);
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const made = await app.inject({
      method: 'POST',
      url: '/api/console/keys',
      headers: { ...headers, 'accept-encoding': 'br' },
      payload: { name: 'n'.repeat(100), scopes: ['scores:read'] },
    });
    const urls = [
      '/console',
      '/console/keys',
      '/console/keys/new',
      '/sign-in',
      '/sign-in?next=/console',
      '/sign-out',
    ];
    const pages = [];
    for (const url of [...urls, '/api/console/keys', '/api/receipts', '/api/console/usage.csv'])
      pages.push([url, (await ask(url, 'br, gzip', headers)).headers['content-encoding']]);

    expect(made.statusCode).toBe(201);
    expect(made.headers['content-encoding']).toBeUndefined();
    expect(pages.filter(([, encoding]) => encoding !== undefined)).toEqual([]);
  });

  it('reads with a key are compressed, because no foreign page can make a browser send one', async () => {
    const account = await makeAccount(test.database, { plan: 'builder' });
    const { secret } = await makeKey(test.database, account.accountId);
    const headers = { authorization: `Bearer ${secret}` };
    for (let place = 0; place < 5; place += 1) await run(headers);

    const answer = await ask('/api/receipts', 'br', headers);
    const session = await makeSession(test.database, account.accountId);
    const withSession = await ask('/api/receipts', 'br', { cookie: session.cookie });

    expect(withSession.rawPayload.length).toBeGreaterThan(1_024);
    expect(withSession.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(String(PLAIN.br(answer.rawPayload)))).toEqual(withSession.json());
  });

  it('a metered response is not compressed, because it repeats the request', async () => {
    const account = await makeAccount(test.database, { plan: 'builder' });
    const { secret } = await makeKey(test.database, account.accountId);

    const answer = await run({ authorization: `Bearer ${secret}`, 'accept-encoding': 'br' });

    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.length).toBeGreaterThan(1_024);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });
});

it('a request’s own body is read as it stands, whatever it says of its encoding', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/svc/operations/run',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: gzipSync('{"operation":"agent_score"}'),
  });

  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'invalid_json' });
});
