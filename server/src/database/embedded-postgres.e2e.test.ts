import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memoryFolder } from '../testing/memory-folder.ts';
import { type NodeProcess, startNode } from '../testing/node-process.ts';
import { readPostmaster } from './embedded/cluster.ts';
import { Presence } from './embedded/presence.ts';
import { findUnprivilegedUser } from './embedded/unprivileged-user.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts';

const asRoot = process.getuid?.() === 0;

/** A data folder that was opened and left once; copying it takes a fraction of the time of making one. */
let prepared: string;
let root: string;
let folder: string;
const opened: EmbeddedPostgres[] = [];
const processes: NodeProcess[] = [];

const unusedFolder = async (): Promise<string> => {
  const path = await mkdtemp(join(memoryFolder(), 'trust-directory-embedded-'));
  await rm(path, { recursive: true });
  return path;
};

beforeAll(async () => {
  prepared = await unusedFolder();
  const embedded = await openEmbeddedPostgres(prepared);
  await embedded.stop();
});

afterAll(() => rm(prepared, { recursive: true }));

beforeEach(async () => {
  root = await unusedFolder();
  folder = join(root, 'postgres');
});

afterEach(async () => {
  for (const child of processes.splice(0)) {
    child.signal('SIGKILL');
    await child.ended;
  }
  for (const embedded of opened.splice(0)) await embedded.stop();
  const left = readPostmaster(folder);
  if (left) process.kill(left.pid, 'SIGQUIT');
  await untilGone();
  await rm(root, { recursive: true, force: true });
});

/** Puts the prepared data folder in place, owners and modes kept. */
async function usePrepared(): Promise<void> {
  await promisify(execFile)('cp', ['-a', prepared, root]);
}

async function open(): Promise<EmbeddedPostgres> {
  const embedded = await openEmbeddedPostgres(root);
  opened.push(embedded);
  return embedded;
}

/** A process that opens the same data folder, tells how it went, and stops gracefully on SIGTERM and SIGINT. */
function openElsewhere(onSignal = ''): NodeProcess {
  const child = startNode({
    script: `
      const { openEmbeddedPostgres } = await import(${JSON.stringify(new URL('../../dist/database/embedded-postgres.js', import.meta.url).href)});
      const { default: pg } = await import('pg');
      const embedded = await openEmbeddedPostgres(${JSON.stringify(root)});
      const query = async (sql) => {
        const client = new pg.Client({ connectionString: embedded.url });
        await client.connect();
        const { rows } = await client.query(sql);
        await client.end();
        return rows;
      };
      const keepAlive = setInterval(() => undefined, 1000);
      const end = async () => {
        ${onSignal}
        await embedded.stop();
        clearInterval(keepAlive);
        console.log('stopped');
      };
      process.once('SIGTERM', end);
      process.once('SIGINT', end);
      console.log('ready ' + JSON.stringify({ url: embedded.url, startedHere: embedded.startedHere }));`,
  });
  processes.push(child);
  return child;
}

async function readyState(child: NodeProcess): Promise<{ url: string; startedHere: boolean }> {
  const match = await child.waitFor(/^ready (.*)$/m);
  return JSON.parse(match[1] ?? '');
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function untilGone(): Promise<void> {
  for (let tries = 0; readPostmaster(folder); tries += 1) {
    if (tries > 400) throw new Error('the server still runs');
    await wait(25);
  }
}

describe('the embedded server', () => {
  it('is made durable, checked, UTF-8 in code-point order, and reachable on loopback TCP only', async () => {
    const { url, startedHere } = await open();

    const settings = await query(
      url,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes',
        'data_checksums', 'listen_addresses', 'unix_socket_directories', 'server_encoding') ORDER BY name`,
    );
    const locale = await query(
      url,
      "SELECT lower('ÄÉ') AS lower, 'Z' < 'a' AS by_code, current_database() AS name",
    );

    expect(startedHere).toBe(true);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      server_encoding: 'UTF8',
    });
    expect(locale).toEqual([{ lower: 'äé', by_code: true, name: 'trust_directory' }]);
  });

  it('keeps its password in a file of mode 600 and off every command line, and asks for it', async () => {
    const { url } = await open();
    const { password } = new URL(url);

    const file = await stat(join(root, 'postgres-password'));
    const commandLine = await readFile(`/proc/${readPostmaster(folder)?.pid}/cmdline`, 'utf8').catch(
      () => '',
    );
    const wrong = new URL(url);
    wrong.password = 'guess';

    expect(file.mode & 0o777).toBe(0o600);
    expect(password.length).toBeGreaterThanOrEqual(32);
    expect(commandLine).not.toContain(password);
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('writes no statement and no value of a failing one into its log', async () => {
    await usePrepared();
    const { url } = await open();

    await query(url, "SELECT 'svc_live_secret'::int").catch(() => undefined);

    expect(await readFile(join(folder, 'server.log'), 'utf8')).not.toContain('svc_live_secret');
  });

  it('keeps data and password from one start to the next', async () => {
    await usePrepared();
    const first = await open();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();

    const stopped = readPostmaster(folder);
    const second = await open();

    expect(stopped).toBeNull();
    expect(second.startedHere).toBe(true);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('recovers what was committed when the server itself is killed', async () => {
    await usePrepared();
    const first = await open();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(readPostmaster(folder)?.pid ?? 0, 'SIGKILL');
    await untilGone();
    await first.stop();

    const second = await open();

    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it.runIf(asRoot)(
    'starts although another program now bears the id that a killed server left behind',
    async () => {
      await usePrepared();
      const first = await open();
      await first.stop();
      const user = await findUnprivilegedUser();
      const stranger = spawn('sleep', ['60'], { ...(user ?? {}) });
      await writeFile(
        join(folder, 'postmaster.pid'),
        `${stranger.pid}\n${folder}\n1\n1\n\n127.0.0.1\n\nready\n`,
      );

      const second = await open();

      stranger.kill();
      expect(second.startedHere).toBe(true);
    },
  );
});

describe('several processes', () => {
  it('join one server, which ends with the last of them whichever came first', async () => {
    await usePrepared();
    const first = await open();
    const other = openElsewhere();
    const joined = await readyState(other);

    await first.stop();
    const afterFirst = await query(joined.url, 'SELECT 1 AS one');
    other.signal('SIGTERM');
    await other.waitFor(/stopped/);

    expect(joined).toEqual({ url: first.url, startedHere: false });
    expect(afterFirst).toEqual([{ one: 1 }]);
    expect(readPostmaster(folder)).toBeNull();
  });

  it('that start at once on a new folder share one server', async () => {
    const children = [openElsewhere(), openElsewhere(), openElsewhere()];
    const states = await Promise.all(children.map(readyState));

    for (const child of children) child.signal('SIGTERM');
    await Promise.all(children.map((child) => child.waitFor(/stopped/)));

    expect(new Set(states.map(({ url }) => url)).size).toBe(1);
    expect(states.filter(({ startedHere }) => startedHere)).toHaveLength(1);
    expect(readPostmaster(folder)).toBeNull();
  });

  it('wait for one that is about to stop the server', async () => {
    await usePrepared();
    const leaver = new Presence(join(root, 'postgres-users'));
    leaver.announce();
    leaver.leave();
    let opening = true;

    const next = open().finally(() => {
      opening = false;
    });
    await wait(1_000);
    const waited = opening;
    leaver.left();
    const embedded = await next;

    expect(waited).toBe(true);
    expect(embedded.startedHere).toBe(true);
  });

  it('that come while the last user leaves get a server that stays', async () => {
    await usePrepared();
    for (let round = 0; round < 5; round += 1) {
      const leaving = await open();
      const [, joined] = await Promise.all([leaving.stop(), wait(round * 10).then(open)]);

      expect(await query(joined.url, 'SELECT pg_sleep(0.2), 1 AS one')).toHaveLength(1);
      await joined.stop();
    }
    expect(readPostmaster(folder)).toBeNull();
  });
});

describe('a process', () => {
  it('that is killed leaves the server to the next one, which joins and ends it', async () => {
    await usePrepared();
    const killed = openElsewhere();
    const { url } = await readyState(killed);
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    killed.signal('SIGKILL');
    await killed.ended;

    const outlived = readPostmaster(folder);
    const next = await open();
    const rows = await query(next.url, 'SELECT answer FROM kept');
    await next.stop();

    expect(outlived).not.toBeNull();
    expect(next.startedHere).toBe(false);
    expect(rows).toEqual([{ answer: 42 }]);
    expect(readPostmaster(folder)).toBeNull();
  });

  it('still has its server during its own shutdown after Ctrl-C reached the whole process group', async () => {
    await usePrepared();
    const child = openElsewhere(
      "await new Promise((resolve) => setTimeout(resolve, 500)); console.log('last words', JSON.stringify(await query('SELECT 1 AS one')));",
    );
    await readyState(child);

    child.signalGroup('SIGINT');
    await child.waitFor(/stopped/);

    expect(child.output()).toContain('last words [{"one":1}]');
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(readPostmaster(folder)).toBeNull();
  });

  it('that exits without stopping the server still ends it', async () => {
    await usePrepared();
    const child = openElsewhere('process.exit(3);');
    await readyState(child);

    child.signal('SIGTERM');

    expect((await child.ended).code).toBe(3);
    await expect(untilGone()).resolves.toBeUndefined();
  });
});

describe('what cannot work', () => {
  it.runIf(asRoot)('is told in a sentence that names the folder in the way', async () => {
    await mkdir(root, { mode: 0o700 });

    const attempt = openEmbeddedPostgres(join(root, 'inside'));

    await expect(attempt).rejects.toThrow(
      `may not pass through ${root} to reach ${join(root, 'inside')}: run "chmod o+x ${root}"`,
    );
    await expect(attempt).rejects.toThrow('set DATABASE_URL');
  });

  it('is told with the last lines of the log when the server refuses its data folder', async () => {
    await usePrepared();
    const first = await open();
    await first.stop();
    await writeFile(join(folder, 'PG_VERSION'), '9.6\n');

    await expect(openEmbeddedPostgres(root)).rejects.toThrow('was initialized by PostgreSQL version 9.6');
  });
});
