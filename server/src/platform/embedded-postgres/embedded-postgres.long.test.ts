import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import {
  type EmbeddedWorkspace,
  type PreparedFolder,
  prepareFolder,
  query,
} from '../../../testing/embedded-workspace.ts';
import { IS_NIGHTLY } from '../../../testing/nightly.ts';
import { SERVER_SETTINGS, startCluster, stopCluster } from './cluster.ts';
import { findMachine, openEmbeddedPostgres, settingsFor } from './embedded-postgres.ts';
import { findUnprivilegedUser } from './postgres-programs.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { readPostmaster } from './server-processes.ts';

const asRoot = process.getuid?.() === 0;

let prepared: PreparedFolder;
let work: EmbeddedWorkspace;

beforeAll(async () => {
  prepared = await prepareFolder();
});
afterAll(() => prepared.remove());
beforeEach(async () => {
  work = await prepared.workspace();
});
afterEach(() => work.close());

describe('the embedded server', () => {
  it('is made durable, checked, UTF-8 in code-point order, and reachable on loopback TCP only', async () => {
    await work.usePrepared();
    const { url, startedHere } = await work.open();

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

  itAtNight('has memory and a log that fit the machine', async () => {
    await work.usePrepared();
    const { url } = await work.open();
    const machine = await findMachine(work.folder);
    const expected = settingsFor(machine);

    const settings = await query(
      url,
      "SELECT name, pg_size_bytes(current_setting(name)) AS bytes FROM pg_settings WHERE name IN ('shared_buffers', 'max_wal_size')",
    );

    const bytes = (name: 'shared_buffers' | 'max_wal_size') =>
      Number(settings.find((each) => each.name === name)?.bytes);
    expect(bytes('shared_buffers') / 2 ** 20).toBe(Number.parseInt(expected.shared_buffers ?? '', 10));
    expect(bytes('max_wal_size')).toBeGreaterThanOrEqual(256 * 2 ** 20);
  });

  it('notes when it stops which buffers it had, to read them again after its next start', async () => {
    await work.usePrepared();
    const server = await work.open();
    await server.stop();

    expect(await readdir(work.folder)).toContain('autoprewarm.blocks');
  });

  it('keeps its password in a file of mode 600 and off every command line, and asks for it', async () => {
    await work.usePrepared();
    const { url } = await work.open();
    const { password } = new URL(url);

    const file = await stat(join(work.root, 'postgres-password'));
    const commandLine = await readFile(`/proc/${readPostmaster(work.folder)?.pid}/cmdline`, 'utf8').catch(
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
    await work.usePrepared();
    const { url } = await work.open();

    await query(url, "SELECT 'svc_live_secret'::int").catch(() => undefined);

    expect(await readFile(join(work.folder, 'server.log'), 'utf8')).not.toContain('svc_live_secret');
  });

  itAtNight('keeps data and password from one start to the next', async () => {
    await work.usePrepared();
    const first = await work.open();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();

    const stopped = readPostmaster(work.folder);
    const second = await work.open();

    expect(stopped).toBeNull();
    expect(second.startedHere).toBe(true);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('recovers what was committed when the server itself is killed', async () => {
    await work.usePrepared();
    const first = await work.open();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(readPostmaster(work.folder)?.pid ?? 0, 'SIGKILL');
    await work.untilGone();
    await first.stop();

    const second = await work.open();

    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  itAtNight(
    'starts on another port where a process gets the chosen one first, and leads nobody to that process',
    async () => {
      await work.usePrepared();
      const thief = createServer().listen(0, '127.0.0.1');
      await once(thief, 'listening');
      const { port: stolen } = thief.address() as AddressInfo;
      const first = await work.open();
      const free = readPostmaster(work.folder)?.port ?? 0;
      await first.stop();
      const cluster = await prepareCluster(work.root);
      const choices = [stolen, stolen, free];

      await startCluster(cluster, SERVER_SETTINGS, async () => choices.shift() ?? 0);

      const running = readPostmaster(work.folder);
      await stopCluster(cluster);
      thief.close();
      expect(running).toMatchObject({ port: free, ready: true });
      expect(choices).toEqual([]);
    },
  );

  it('restarts on the port that its sessions know, once another program has left it', async () => {
    await work.usePrepared();
    const { url, revive } = await work.open();
    const { pid = 0, port = 0 } = readPostmaster(work.folder) ?? {};
    process.kill(pid, 'SIGKILL');
    await work.untilGone();
    const thief = createServer();
    while (!thief.listening)
      await once(thief.listen(port, '127.0.0.1'), 'listening').catch(() => new Promise(setImmediate));

    const revived = revive();
    setTimeout(() => thief.close(), 500);

    expect(await revived).toBe(true);
    expect(readPostmaster(work.folder)?.port).toBe(port);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  itAtNight('refuses a second start on its folder', async () => {
    await work.usePrepared();
    const { url } = await work.open();
    const running = readPostmaster(work.folder);

    const second = startCluster(await prepareCluster(work.root), SERVER_SETTINGS);

    await expect(second).rejects.toThrow('lock file "postmaster.pid" already exists');
    expect(readPostmaster(work.folder)).toEqual(running);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  // The lock file of an earlier version, which another process's id makes invalid too, is tested in every run.
  if (IS_NIGHTLY)
    it.runIf(asRoot)(
      'starts although another program now has the id that a killed server left behind',
      async () => {
        await work.usePrepared();
        const first = await work.open();
        await first.stop();
        const user = await findUnprivilegedUser();
        const stranger = spawn('sleep', ['60'], { ...(user ?? {}) });
        await writeFile(
          join(work.folder, 'postmaster.pid'),
          `${stranger.pid}\n${work.folder}\n1\n1\n\n127.0.0.1\n\nready\n`,
        );

        const second = await work.open();

        stranger.kill();
        expect(second.startedHere).toBe(true);
      },
    );
});

describe('a server with a Unix socket, as earlier versions started it', () => {
  let port: number;
  let pid: number;

  beforeEach(async () => {
    await work.usePrepared();
    const settings = { ...SERVER_SETTINGS, unix_socket_directories: '.' };
    await startCluster(await prepareCluster(work.root), settings);
    const running = readPostmaster(work.folder);
    port = running?.port ?? 0;
    pid = running?.pid ?? 0;
  });

  itAtNight('is joined over TCP', async () => {
    const { url, startedHere } = await work.open();

    expect(startedHere).toBe(false);
    expect(new URL(url)).toMatchObject({ host: `127.0.0.1:${port}`, search: '' });
    expect(await query(url, 'SELECT inet_client_addr() IS NULL AS socket')).toEqual([{ socket: false }]);
  });

  it('leaves a lock file when it is killed, which prevents no start, no matter who now has its id', async () => {
    process.kill(pid, 'SIGKILL');
    await work.untilGone();
    const lock = join(work.folder, `.s.PGSQL.${port}.lock`);
    const stranger = spawn('sleep', ['60'], { ...((await findUnprivilegedUser()) ?? {}) });
    await writeFile(lock, (await readFile(lock, 'utf8')).replace(`${pid}\n`, `${stranger.pid}\n`));

    const { url, startedHere } = await work.open();

    stranger.kill();
    expect(startedHere).toBe(true);
    expect(new URL(url)).toMatchObject({ host: `127.0.0.1:${port}`, search: '' });
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('what cannot work', () => {
  it.runIf(asRoot)('is told in a sentence that names the folder in the way', async () => {
    await mkdir(work.root, { mode: 0o700 });

    const attempt = openEmbeddedPostgres(join(work.root, 'inside'));

    await expect(attempt).rejects.toThrow(
      `may not pass through ${work.root} to reach ${join(work.root, 'inside')}: run "chmod o+x ${work.root}"`,
    );
    await expect(attempt).rejects.toThrow('set DATABASE_URL');
  });
});
