import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DomainError } from '../../errors/domain-error.ts';
import { withoutPorts } from './limit-requests.ts';
import { createRateLimits, type RateLimitConfig, type RateLimits } from './rate-limits.ts';

const CONFIG: RateLimitConfig = {
  publicPerMinute: 120,
  readPerMinute: 120,
  writePerMinute: 30,
  meteredPerMinute: 600,
  unkeyedPerMinute: 120,
  failedCredentialsPerMinute: 20,
};

function reply() {
  const headers: Record<string, unknown> = {};
  return { headers, header: (name: string, value: unknown) => (headers[name] = value) };
}

/** Returns how many requests pass, sent one after the other to the given limits in turn. */
async function passed(limits: RateLimits[], requests: number, key = 'client'): Promise<number> {
  let count = 0;
  for (let i = 0; i < requests; i++) {
    await limits[i % limits.length]?.count('public', key, reply() as unknown as FastifyReply).then(
      () => count++,
      (error) => expect(error).toMatchObject({ code: 'rate_limited' }),
    );
  }
  return count;
}

describe('a rate limit', () => {
  it('lets exactly its number through in a minute, each client for itself', async () => {
    const limits = createRateLimits(CONFIG, null);

    expect(await passed([limits], 150)).toBe(120);
    expect(await passed([limits], 1, 'another client')).toBe(1);
  });

  it('tells on every answer what is left, and on a refusal when to come again', async () => {
    const limits = createRateLimits({ ...CONFIG, writePerMinute: 1 }, null);
    const [first, second] = [reply(), reply()];

    await limits.count('write', 'token', first as unknown as FastifyReply);
    const refused = await limits
      .count('write', 'token', second as unknown as FastifyReply)
      .catch((error) => error);

    expect(first.headers).toMatchObject({
      'X-RateLimit-Limit': 1,
      'X-RateLimit-Remaining': 0,
      'X-RateLimit-Reset': 60,
    });
    expect(second.headers).toMatchObject({ 'X-RateLimit-Limit': 1, 'X-RateLimit-Remaining': 0 });
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused.details.retryAfterSeconds).toBe(second.headers['X-RateLimit-Reset']);
  });

  it('of 0 is none', async () => {
    const limits = createRateLimits({ ...CONFIG, publicPerMinute: 0 }, null);

    expect(await passed([limits], 1000)).toBe(1000);
  });

  it('is not freed for a blocked client by many others', async () => {
    const limits = createRateLimits(CONFIG, null);
    await passed([limits], 120);
    for (let i = 0; i < 20_000; i++)
      await limits.count('public', `other ${i}`, reply() as unknown as FastifyReply);

    expect(await passed([limits], 10)).toBe(0);
  });
});

describe('addresses that failed too often', () => {
  const MINUTE_MS = 60_000;
  const MOST = 10_000;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function createFailures(allowed: number) {
    const limits = createRateLimits({ ...CONFIG, failedCredentialsPerMinute: allowed }, null);
    return {
      /** Returns true if the request was rejected. */
      fail: (address: string) =>
        limits.countFailedCredential(address, reply() as unknown as FastifyReply).then(
          () => false,
          (error) => error.code === 'rate_limited',
        ),
      holds: (address: string) => limits.hasFailedTooOften(address),
    };
  }

  it('are known from the last failure that is allowed until their minute ends, and no others are', async () => {
    const { fail, holds } = createFailures(2);

    expect([await fail('one'), holds('one')]).toEqual([false, false]);
    expect([await fail('one'), holds('one'), holds('another')]).toEqual([false, true, false]);

    vi.advanceTimersByTime(MINUTE_MS - 1);
    expect([await fail('one'), holds('one')]).toEqual([true, true]);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(holds('one')).toBe(false);
  });

  it('are known no longer than their minute', async () => {
    const { fail, holds } = createFailures(1);
    await fail('one');

    vi.advanceTimersByTime(MINUTE_MS - 1);
    expect(holds('one')).toBe(true);
    vi.advanceTimersByTime(1);
    expect(holds('one')).toBe(false);
  });

  it('are ten thousand at most: the one that failed longest ago goes first', async () => {
    const { fail, holds } = createFailures(1);
    for (let place = 0; place < MOST; place += 1) await fail(`${place}`);
    expect(holds('0')).toBe(true);
    expect(await fail('0')).toBe(true);

    await fail('one more');
    vi.advanceTimersByTime(MINUTE_MS - 1);

    expect(['0', '1', '2', 'one more'].map(holds)).toEqual([true, false, true, true]);
  });

  it('take nobody’s place once their minute is over', async () => {
    const { fail, holds } = createFailures(1);
    await fail('early');
    vi.advanceTimersByTime(10_000);
    await fail('late');
    await fail('early');
    vi.advanceTimersByTime(MINUTE_MS - 10_000);
    expect(holds('early')).toBe(false);

    for (let place = 1; place < MOST; place += 1) await fail(`${place}`);

    expect(holds('late')).toBe(true);
  });
});

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version']);
    return true;
  } catch {
    return false;
  }
}

// Requires Debian's redis-server; without it these tests are skipped here, but fail in CI.
describe.skipIf(!hasRedis())('rate limits shared through Redis', () => {
  let server: ChildProcess;
  let folder: string;
  const clients: Redis[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trust-directory-redis-'));
    const settings = { port: '0', unixsocket: join(folder, 'socket'), save: '', appendonly: 'no' };
    server = spawn(
      'redis-server',
      Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    );
    await isReady(connect());
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect();
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  function connect(): Redis {
    const client = new Redis(join(folder, 'socket'), {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      retryStrategy: () => 50,
    });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  }

  /**
   * Resolves when the client is ready; `once` of node:events would reject on refused connections while the server is
   * starting.
   */
  function isReady(client: Redis): Promise<void> {
    return new Promise((resolve) => client.once('ready', resolve));
  }

  async function processLimits(): Promise<RateLimits> {
    const client = connect();
    await isReady(client);
    return createRateLimits(CONFIG, client);
  }

  it('let exactly the number through over two processes', async () => {
    const limits = [await processLimits(), await processLimits()];

    expect(await passed(limits, 200, 'shared client')).toBe(120);
  });

  it('go on counting in each process while Redis is away', async () => {
    const limits = [await processLimits()];
    server.kill('SIGKILL');
    await once(server, 'exit');

    expect(await passed(limits, 150, 'later client')).toBe(120);
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['192.0.2.1:4711, 10.0.0.1:80,198.51.100.7', '192.0.2.1, 10.0.0.1, 198.51.100.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[::ffff:192.0.2.1]:443', '::ffff:192.0.2.1'],
  // Only unambiguous ports are removed. These texts are not addresses, or are addresses without a port.
  ['2001:db8::1:443', '2001:db8::1:443'],
  ['[somewhere]:443', '[somewhere]:443'],
  ['unknown:443', 'unknown:443'],
  ['192.0.2.1:', '192.0.2.1:'],
  ['', ''],
])('an X-Forwarded-For of %j is read as %j', (forwarded, addresses) => {
  expect(withoutPorts(forwarded)).toBe(addresses);
});
