import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { memoryFolder } from '../testing/memory-folder.ts';
import { INFO, logOf, startServer } from '../testing/server-process.ts';
import { readPostmaster } from './platform/embedded-postgres/server-processes.ts';

const isRoot = process.getuid?.() === 0;

/** Returns the real user id that a process runs under. */
async function userOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
}

it.skipIf(!isRoot)(
  `a server that is started as root makes its database as user postgres, serves, and ends both${isRoot ? '' : ': needs tests that run as root'}`,
  async () => {
    const postgres = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
    const folder = await mkdtemp(join(memoryFolder(), 'trust-directory-root-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await chmod(folder, 0o711);

    const server = await startServer({}, { entry: 'real', cwd: folder });
    onTestFinished(() => server.end('SIGKILL').then(() => undefined));
    const data = join(folder, '.data', 'postgres');
    const postmaster = readPostmaster(data)?.pid;
    const users = [await userOf(server.pid), await userOf(postmaster), (await stat(data)).uid];
    const ready = await fetch(`${server.baseUrl}/readyz`);
    const ending = await server.end('SIGTERM');

    expect(users).toEqual([0, postgres, postgres]);
    expect(ready.status).toBe(200);
    expect(ending).toEqual({ code: 0, signal: null });
    await expect.poll(() => logOf(server).at(-1)?.msg).toBe('stopped');
    expect(logOf(server).filter(({ level }) => level > INFO)).toEqual([]);
    expect(readPostmaster(data)).toBeNull();
  },
);
