import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../testing/at-night.ts';
import { firstCall, WELCOME } from '../testing/first-call.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { sampleUnlessNightly } from '../testing/nightly.ts';
import { INFO, logOf, type ServerProcess, startServer } from '../testing/server-process.ts';

let folder: string;
let server: ServerProcess | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(memoryFolder(), 'trust-directory-start-'));
  // If run as root, the database runs as another user, who needs access.
  await chmod(folder, 0o711);
});
afterEach(async () => {
  await server?.end('SIGKILL').catch(() => undefined);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(): Promise<ServerProcess> {
  server = await startServer({ DATA_DIR: join(folder, 'data') }, { entry: 'real', cwd: folder });
  return server;
}

const COMMANDS = fileURLToPath(new URL('../dist/command-line/cli.js', import.meta.url));
const SECRET = /svc_live_[0-9A-Za-z]{38}/;

async function totalOf(from: ServerProcess): Promise<number> {
  const page = (await (await fetch(`${from.baseUrl}/api/agents?limit=1`)).json()) as { total: number };
  return page.total;
}

async function signingKeysOf({ baseUrl }: ServerProcess): Promise<string[]> {
  const { keys } = (await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()) as {
    keys: { kid: string }[];
  };
  return keys.map(({ kid }) => kid);
}

describe('npm start without a configured database', () => {
  let secret = '';
  let listings = 0;
  let printed = '';

  itAtNight('reports a port in use without losing the key: the next start shows it', async () => {
    const env = { DATA_DIR: join(folder, 'taken') };
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const port = String((holder.address() as { port: number }).port);

    const failure = await startServer({ ...env, PORT: port }, { entry: 'real' }).catch(
      (error: Error) => error.message,
    );
    holder.close();

    expect(failure).toContain(`Port ${port} of 127.0.0.1 is in use`);
    server = await startServer(env, { entry: 'real' });
    expect(await server.printed(SECRET)).toBeTruthy();
  });

  it('loads and scores the sample, and prints a call that a free call pays for, without warnings', async () => {
    const first = await start();
    const text = await first.printed(WELCOME);
    printed = text;
    secret = SECRET.exec(text)?.[0] ?? '';
    expect(secret).not.toBe('');
    listings = await totalOf(first);

    const answer = await firstCall(text);
    const { stdout } = await promisify(execFile)('sh', ['-c', /^curl .*$/m.exec(text)?.[0] ?? '']);

    expect(stdout).toBe(`${JSON.stringify(JSON.parse(stdout), null, 2)}\n`);
    expect(JSON.parse(stdout)).toMatchObject({ idempotent: true });
    expect(text).not.toContain('"level"');
    expect(text).toContain(first.baseUrl);
    expect(text).toContain(`${listings} listings`);
    expect(text).toMatch(
      /^Facts about the best-known listings are of .*20\d\d, and are not refreshed: set REFRESH_PER_HOUR, /m,
    );
    expect(listings).toBeGreaterThan(200);
    expect(answer).toMatchObject({
      status: 200,
      body: { settled: true, charge_source: 'free', balance_after: { included_used: 1 } },
    });
    expect(first.output().stderr).not.toMatch(SECRET);
    expect(await first.end('SIGINT')).toEqual({ code: 0, signal: null });
    await expect.poll(() => logOf(first).at(-1)?.msg).toBe('stopped');
    expect(logOf(first).filter(({ level }) => level > INFO)).toEqual([]);
  });

  it('keeps everything on the second start, and does not show the key again', async () => {
    const second = await start();
    const text = await second.printed(WELCOME);

    expect(text).not.toMatch(SECRET);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [COMMANDS, 'sign-in-link', '--account', 'trust-directory-demo'],
      { env: { ...process.env, DATA_DIR: join(folder, 'data') }, cwd: folder },
    );
    expect(stdout).toContain(`\n${second.baseUrl}/sign-in?token=`);
    expect(await totalOf(second)).toBe(listings);
    const again = await firstCall(printed.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, second.baseUrl));
    const fresh = await firstCall(text.replace('$TRUST_DIRECTORY_API_KEY', secret));
    expect(fresh).toMatchObject({ status: 200, body: { settled: true } });
    expect(fresh.body).not.toHaveProperty('idempotent');
    expect(again).toMatchObject({ status: 200, body: { idempotent: true, result: null } });
    await second.end('SIGKILL');
  });

  itAtNight('recovers by itself after a kill -9', async () => {
    const third = await start();

    expect(await totalOf(third)).toBe(listings);
    expect(await third.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it.each(sampleUnlessNightly([200, 700, 1200], (ms) => ms === 700))(
    'stopped %i ms into its first start leaves no database running',
    async (ms) => {
      const own = join(folder, `cut-short-${ms}`);

      const ending = await startServer({ DATA_DIR: own }, { entry: 'real', stopAfterMs: ms }).catch(
        (error: Error) => error.message,
      );

      expect(ending).toMatch(/^the server ended with (0|SIGTERM): $/);
      await expect.poll(() => existsSync(join(own, 'postgres', 'postmaster.pid'))).toBe(false);
    },
  );

  itAtNight('restarts its database after a kill -9 of it, and continues', async () => {
    const running = await start();
    await running.printed(WELCOME);
    const file = join(folder, 'data', 'postgres', 'postmaster.pid');
    const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);

    process.kill(pid, 'SIGKILL');
    const revived = async () => {
      const now = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
      return now !== 0 && now !== pid && (await fetch(`${running.baseUrl}/readyz`)).ok;
    };
    await expect.poll(revived, { timeout: 45_000, interval: 200 }).toBe(true);

    expect(await totalOf(running)).toBe(listings);
    expect(await running.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  itAtNight(
    'can be started twice at once on one data folder: both serve with one signing key, and one shows the key of the API',
    async () => {
      const env = { DATA_DIR: join(folder, 'twice'), LOG_LEVEL: 'trace' };
      const pair = await Promise.all([
        startServer(env, { entry: 'real' }),
        startServer(env, { entry: 'real' }),
      ]);
      await Promise.all(pair.map((each) => each.printed(WELCOME)));

      const keys = pair.filter((each) => SECRET.test(each.output().stdout));
      expect(keys).toHaveLength(1);
      expect(await Promise.all(pair.map(totalOf))).toEqual([listings, listings]);
      const published = await Promise.all(pair.map(signingKeysOf));
      for (const each of pair) expect(await each.end('SIGTERM')).toEqual({ code: 0, signal: null });

      const path = join(folder, 'twice', 'signing-key.json');
      const { keys: stored } = JSON.parse(await readFile(path, 'utf8')) as {
        keys: { kid: string; d: string }[];
      };
      server = await startServer(env, { entry: 'real' });
      const kept = await signingKeysOf(server);
      expect(kept).toEqual(stored.map(({ kid }) => kid));
      expect(published).toEqual([kept, kept]);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      for (const { stdout, stderr } of [...pair, server].map((each) => each.output()))
        for (const { d } of stored) expect(stdout + stderr).not.toContain(d);
    },
  );

  const INVALID: [env: Record<string, string>, sentence: RegExp][] = [
    [
      { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', DATABASE_START_TIMEOUT_SECONDS: '0' },
      /DATABASE_URL names cannot be used/,
    ],
    [{ PLANS_FILE: '/no/such/file.json' }, /PLANS_FILE cannot be read/],
    [{ HOST: '203.0.113.1' }, /HOST 203\.0\.113\.1, PORT \d+ cannot be listened on/],
  ];

  it.each(sampleUnlessNightly(INVALID, ([env]) => 'DATABASE_URL' in env))(
    'names the invalid setting: %j',
    async (env, sentence) => {
      const failure = startServer({ DATA_DIR: join(folder, 'data'), ...env }, { entry: 'real', cwd: folder });

      await expect(failure).rejects.toThrow(sentence);
    },
  );

  it('refuses unknown arguments, so that a mistyped one is not ignored', async () => {
    const failure = startServer({ DATA_DIR: join(folder, 'data') }, { entry: 'real', args: ['--dmeo'] });

    await expect(failure).rejects.toThrow('does not know the argument --dmeo');
  });

  itAtNight('reports all configuration errors at once, and does not start', async () => {
    const failure = await startServer(
      { DATA_DIR: folder, LOG_LEVEL: 'loud', TRUST_PROXY: 'everyone' },
      { entry: 'real' },
    ).catch((error: Error) => error.message);

    expect(failure).toContain('LOG_LEVEL');
    expect(failure).toContain('TRUST_PROXY');
  });
});
