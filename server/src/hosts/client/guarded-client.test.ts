import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Canary, startCanary } from '../../../testing/outbound/canary.ts';
import { type DnsStub, startDnsStub } from '../../../testing/outbound/dns-stub.ts';
import { hostileUrls } from '../../../testing/outbound/hostile-urls.ts';
import { createGuardedClient, type GuardedClientOptions } from './guarded-client.ts';
import { OutboundFailure } from './read-response.ts';

let canary: Canary;
let dns: DnsStub;

beforeAll(async () => {
  canary = await startCanary();
  // Every name resolves to this machine; one resolves to a public address the first time.
  dns = await startDnsStub((name, times) =>
    name === 'rebound.example' && times === 0 ? ['127.0.0.9'] : ['127.0.0.1'],
  );
});
afterAll(async () => {
  await canary.close();
  await dns.close();
});

type Rules = Partial<GuardedClientOptions['rules']>;

function client(rules: Rules = {}, options: Partial<GuardedClientOptions> = {}) {
  return createGuardedClient({
    userAgent: 'test',
    rules: { hosts: 'any', configuredOrigins: [], ports: [443, canary.port], ...rules },
    resolve: dns.resolve,
    ...options,
  });
}

async function failureOf(call: Promise<unknown>): Promise<OutboundFailure> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundFailure)) throw new Error(`no failure of ours: ${error}`);
  return error;
}

describe('the guard against internal addresses', () => {
  it('is tried with at least 120 addresses', () => {
    expect(new Set(hostileUrls(canary.port)).size).toBeGreaterThanOrEqual(120);
  });

  it('connects to nothing on this machine, whatever an address looks like, even where any host may be called', async () => {
    const guarded = client();
    const before = canary.heard();

    const failures = await Promise.all(hostileUrls(canary.port).map((url) => failureOf(guarded.call(url))));

    await guarded.close();
    expect(canary.heard() - before).toBe(0);
    expect(new Set(failures.map(({ kind }) => kind))).toEqual(new Set(['refused']));
  });

  it('is what holds them back: without the check of addresses most of them are connected to', async () => {
    const open = client({}, { isAllowed: () => true, timeoutMs: 1_000 });
    const before = canary.heard();

    await Promise.allSettled(hostileUrls(canary.port).map((url) => open.call(url)));

    await open.close();
    expect(canary.heard() - before).toBeGreaterThan(50);
  });

  it('with an allowlist reaches no other host, however it is spelled', async () => {
    const guarded = client({ hosts: ['github.com'] }, { isAllowed: () => true });
    const before = canary.heard();
    const ours = ['https://github.com#@127.0.0.1', 'https://github.com\\@127.0.0.1'];
    const others = hostileUrls(canary.port).filter((url) => !ours.some((start) => url.startsWith(start)));

    const failures = await Promise.all(others.map((url) => failureOf(guarded.call(url))));

    await guarded.close();
    expect(canary.heard() - before).toBe(0);
    expect(failures.every(({ kind }) => kind === 'refused')).toBe(true);
  });
});

describe('a name that answers differently every time', () => {
  // 127.0.0.9 stands for a public address, because tests must not leave this machine.
  const isAllowed = (address: string) => address === '127.0.0.9';

  it('is resolved once, and the connection goes to the address that was checked', async () => {
    const guarded = client({}, { isAllowed });
    dns.asked.delete('rebound.example');
    const before = canary.heard();

    const failure = await failureOf(guarded.call(`https://rebound.example:${canary.port}/`));

    await guarded.close();
    expect(failure.kind).toBe('no_answer');
    expect(dns.asked.get('rebound.example')).toBe(1);
    expect(canary.heard() - before).toBe(1);
  });

  it('is rejected when it resolves to an internal address, and internal ones among several addresses are not used', async () => {
    const mixed = await startDnsStub(() => ['127.0.0.1', '127.0.0.9', '10.0.0.1']);
    const connected: string[] = [];
    const note = (address: string) => {
      if (isAllowed(address)) connected.push(address);
      return isAllowed(address);
    };
    const guarded = client({}, { isAllowed: note, resolve: mixed.resolve });
    const later = client({}, { isAllowed });

    await failureOf(guarded.call(`https://mixed.example:${canary.port}/`));
    const failure = await failureOf(later.call(`https://rebound.example:${canary.port}/`));

    await Promise.all([guarded.close(), later.close(), mixed.close()]);
    expect(connected).toEqual(['127.0.0.9']);
    expect(failure.kind).toBe('refused');
  });
});

describe('what the operator configured', () => {
  let server: Server;
  let origin: string;
  const seen: { path: string; headers: NodeJS.Dict<string | string[]> }[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push({ path: request.url ?? '', headers: request.headers });
      const [, status = '200', target = ''] = /^\/(\d+)\/?(.*)$/.exec(request.url ?? '') ?? [];
      if (request.url === '/slow') return;
      if (request.url === '/trickle') return void response.writeHead(200).write('a');
      if (request.url === '/large') return void response.end(Buffer.alloc(2_000_000));
      if (request.url === '/packed')
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
      response
        .writeHead(Number(status), target ? { location: decodeURIComponent(target) } : {})
        .end('{"ok":true}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const configured = (options: Partial<GuardedClientOptions> = {}) =>
    client({ hosts: [], configuredOrigins: [origin] }, options);

  it('may be anywhere and over http; it gets our name, and neither cookies nor an offer of compression', async () => {
    const guarded = configured();

    const answer = await guarded.call(`${origin}/200`, { headers: { accept: 'application/json' } });

    await guarded.close();
    expect(answer).toMatchObject({ status: 200, body: '{"ok":true}', url: `${origin}/200` });
    const headers = seen.at(-1)?.headers;
    expect(headers).toMatchObject({
      'user-agent': 'test',
      'accept-encoding': 'identity',
      accept: 'application/json',
    });
    expect(headers).not.toHaveProperty('cookie');
  });

  it('leads to no other origin: a redirect is followed on its own origin only, twice at most, and only when asked', async () => {
    const guarded = configured();
    const before = canary.heard();
    const to = (target: string) => `${origin}/301/${encodeURIComponent(target)}`;
    const inside = [301, 302, 303, 307, 308].flatMap((status) => [
      `${origin}/${status}/${encodeURIComponent(`https://127.0.0.1:${canary.port}/`)}`,
      `${origin}/${status}/${encodeURIComponent(`//[::1]:${canary.port}/`)}`,
    ]);

    const followed = await guarded.call(to('/200'), { followRename: true });
    const twice = await guarded.call(to(`/301/${encodeURIComponent('/200')}`), { followRename: true });
    const unasked = await failureOf(guarded.call(to('/200')));
    const third = encodeURIComponent(`/301/${encodeURIComponent('/200')}`);
    const thrice = await failureOf(guarded.call(to(`/301/${third}`), { followRename: true }));
    const led = await Promise.all(inside.map((url) => failureOf(guarded.call(url, { followRename: true }))));

    await guarded.close();
    expect([followed.url, twice.url]).toEqual([`${origin}/200`, `${origin}/200`]);
    expect([unasked, thrice, ...led].map(({ kind }) => kind)).toEqual(Array(12).fill('redirected'));
    expect(canary.heard() - before).toBe(0);
  });

  it.each(['/slow', '/trickle'])('is waited for within one limit, however it delays (%s)', async (path) => {
    const guarded = configured({ timeoutMs: 300 });
    const startedAt = performance.now();

    const failure = await failureOf(guarded.call(`${origin}${path}`));

    await guarded.close();
    expect(failure.kind).toBe('timeout');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('is taken in pieces, as many as are needed, but only where it is the answer', async () => {
    const guarded = configured();
    const sizes: number[] = [];
    const take = (piece: Buffer) => sizes.push(piece.length) < 2;

    const taken = await guarded.call(`${origin}/large`, { take, maxBytes: 2_000_000 });
    const refused = await guarded.call(`${origin}/404`, { take });
    const packed = await failureOf(guarded.call(`${origin}/packed`, { take }));

    await guarded.close();
    expect([taken.body, refused.body, packed.kind]).toEqual(['', '{"ok":true}', 'no_answer']);
    expect(sizes).toHaveLength(2);
  });

  it('is read up to the limit of size, and not unpacked', async () => {
    const guarded = configured();

    const large = await failureOf(guarded.call(`${origin}/large`));
    const packed = await failureOf(guarded.call(`${origin}/packed`));

    await guarded.close();
    expect([large.kind, packed.kind]).toEqual(['too_large', 'no_answer']);
  });

  it('has the limits that a call names in place of those of the client', async () => {
    const guarded = configured({ timeoutMs: 600_000, maxBytes: 1 });

    const slow = await failureOf(guarded.call(`${origin}/slow`, { timeoutMs: 1 }));
    const small = await failureOf(guarded.call(`${origin}/large`));
    const { body } = await guarded.call(`${origin}/large`, { maxBytes: 64 * 1024 * 1024 });

    await guarded.close();
    expect([slow.kind, small.kind]).toEqual(['timeout', 'too_large']);
    expect(body.length).toBeGreaterThan(1);
  });

  it("is given up with the caller's own reason when the caller gives up", async () => {
    const guarded = configured();
    const reason = new Error('Ctrl-C');

    const call = guarded.call(`${origin}/slow`, { signal: AbortSignal.abort(reason) });

    await expect(call).rejects.toBe(reason);
    await guarded.close();
  });
});
