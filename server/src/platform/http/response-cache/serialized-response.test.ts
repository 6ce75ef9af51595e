import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { compressResponses, VARY_COMPRESSED } from '../compression/compress-responses.ts';
import { useConditionalGet } from '../conditional-get.ts';
import { closeConnectionsWhenStopping } from '../health.ts';
import { BODY_LIMIT_BYTES, refuseUnusableBodies } from '../json-body.ts';
import { setCommonHeaders } from '../request-context.ts';
import { ResponseCache } from './response-cache.ts';
import { responseCache, storeSerializedResponses } from './response-cache-plugin.ts';

const SUBJECT = '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47';
const LONG = 'as long as what is compressed. '.repeat(100);
const PLAIN = {
  br: (body: Buffer) => brotliDecompressSync(body),
  gzip: (body: Buffer) => gunzipSync(body),
} as const;

let memory: ResponseCache;
let app: FastifyInstance;
/** Number of responses that passed the hooks, and lines of the log. */
let passed: number;
let logged: number;
let text: string;
let left: number;
/** Step that counting waits for, and work done when the server stops. */
let counting: () => Promise<void>;
let atStop: () => void;

/** Sets up the server's hooks in their order, for one route; with `isCounted` ten requests are allowed. */
async function open(isCounted = false): Promise<void> {
  [memory, passed, logged, text, left] = [new ResponseCache(1_048_576), 0, 0, LONG, 10];
  memory.open(Number.POSITIVE_INFINITY);
  memory.waitForInvalidations = (told) => told(true);
  const reads = { models: {} as never, transaction: null, query: async () => [{ id: SUBJECT }] as never };
  app = Fastify({ bodyLimit: BODY_LIMIT_BYTES });
  responseCache(app, { cache: memory, reads }, isCounted);
  setCommonHeaders(app, new URL('https://directory.example'));
  closeConnectionsWhenStopping(app);
  app.addHook('onResponse', async () => {
    logged += 1;
  });
  app.addHook('onSend', async () => {
    passed += 1;
  });
  useConditionalGet(app, 0);
  await compressResponses(app);
  storeSerializedResponses(app, { cache: memory, reads });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('Vary', VARY_COMPRESSED);
    if (!isCounted) return;
    await counting();
    left -= 1;
    reply.header('X-RateLimit-Limit', 10).header('X-RateLimit-Remaining', left);
    if (left < 0) throw Object.assign(new Error('too many'), { statusCode: 429 });
  });
  [counting, atStop] = [async () => undefined, () => undefined];
  app.addHook('preClose', async () => atStop());
  refuseUnusableBodies(app);
  app.get('/text', { config: { public: true } }, async (request, reply) => {
    await request.reads.query('SELECT 1');
    return reply.type('text/plain; charset=utf-8').send(text);
  });
}

async function ask(headers: IncomingHttpHeaders = {}, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await app.inject({ method, url: '/text', headers });
  const { 'x-request-id': id, date: _date, ...told } = answer.headers;
  return { status: answer.statusCode, id, headers: told, body: answer.rawPayload };
}

beforeEach(() => open());

describe('a serialized response', () => {
  it.each(['', 'br', 'gzip', 'gzip, deflate, br, zstd', 'identity'])(
    'leaves for “%s” with the same bytes and headers, past every hook, and each time for its own request',
    async (encoding) => {
      const headers = { 'accept-encoding': encoding };
      const made = await ask(headers);
      expect([passed, logged]).toEqual([1, 1]);

      const whole = [await ask(headers), await ask({ ...headers, origin: 'https://page.example' })];

      expect([passed, logged]).toEqual([1, 3]);
      const ids = new Set([made, ...whole].map(({ id }) => id));
      expect(ids.size).toBe(3);
      for (const id of ids) expect(id).toMatch(/^req-\w+$/);
      for (const each of whole) expect({ ...each, id: null }).toEqual({ ...made, id: null });
    },
  );

  it('is sent in the requested encoding', async () => {
    for (const encoding of ['br', 'gzip', 'br', 'gzip']) await ask({ 'accept-encoding': encoding });
    await ask();
    await ask();
    const before = passed;

    for (const encoding of ['br', 'gzip'] as const) {
      const { headers, body } = await ask({ 'accept-encoding': encoding });
      expect(headers['content-encoding']).toBe(encoding);
      expect(PLAIN[encoding](body).toString()).toBe(LONG);
    }
    expect((await ask()).body.toString()).toBe(LONG);
    expect(passed).toBe(before);
  });

  it('is a 304 for a client that has it, as through the hooks', async () => {
    const { headers } = await ask();
    const known = { 'if-none-match': String(headers.etag), 'accept-encoding': 'br' };
    const through = await ask(known);
    await ask({ 'accept-encoding': 'br' });
    const before = passed;

    const whole = await ask(known);

    expect(passed).toBe(before);
    expect(whole).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect({ ...whole, id: null }).toEqual({ ...through, id: null });
  });

  it('is invalidated with its cached response', async () => {
    for (let time = 0; time < 3; time += 1) await ask();
    text = 'another';

    memory.invalidate(SUBJECT);

    for (let time = 0; time < 3; time += 1) expect((await ask()).body.toString()).toBe('another');
  });

  it('is cached in at most three encodings, each of a usual length', async () => {
    for (const form of ['br', 'gzip', 'identity', 'br;q=0.5', 'x'.repeat(65)])
      for (let time = 0; time < 2; time += 1) await ask({ 'accept-encoding': form });
    const before = passed;

    for (const form of ['br', 'gzip', 'identity']) await ask({ 'accept-encoding': form });
    expect(passed).toBe(before);
    for (const form of ['br;q=0.5', 'x'.repeat(65)]) await ask({ 'accept-encoding': form });
    expect(passed).toBe(before + 2);
  });
});

describe('a request that passes the hooks anyway', () => {
  beforeEach(async () => {
    for (let time = 0; time < 3; time += 1) await ask();
  });

  it('is another method, and a request with a body', async () => {
    expect(await ask({}, 'HEAD')).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    expect((await ask({ 'content-length': '20000' })).status).toBe(413);
    expect(passed).toBe(3);
  });
});

it('with rate limits, each request is counted before its response, which has its own count', async () => {
  await open(true);
  const told: unknown[] = [];
  for (let time = 0; time < 11; time += 1) {
    const { status, headers } = await ask();
    told.push([status, headers['x-ratelimit-remaining']]);
  }

  expect(told).toEqual([...Array.from({ length: 10 }, (_, time) => [200, String(9 - time)]), [429, '-1']]);
  expect(passed).toBe(2);
});

it('a request accepted before the stop closes its connection; headers of a request are not repeated', async () => {
  await open(true);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const fetched = () => fetch(`${origin}/text`).then(({ headers }) => headers);
  const before = [await fetched(), await fetched(), await fetched()];
  const stops = new Promise<void>((resolve) => {
    atStop = resolve;
  });
  const isCounting = new Promise<void>((resolve) => {
    counting = () => {
      resolve();
      return stops;
    };
  });

  const last = fetched();
  await isCounting;
  await app.close();

  const all = [...before, await last];
  expect(all.map((headers) => headers.get('connection'))).toEqual([...Array(3).fill('keep-alive'), 'close']);
  expect(all.map((headers) => headers.get('x-ratelimit-remaining'))).toEqual(['9', '8', '7', '6']);
  for (const headers of all) expect(headers.get('x-request-id')).toMatch(/^req-\w+$/);
});
