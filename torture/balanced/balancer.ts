import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon } from '../../ops/daemon.ts';
import { fillTemplate } from '../../ops/fill-template.ts';
import { findFreePorts } from '../../ops/free-ports.ts';
import type { Arena } from '../arena.ts';
import { mustHold } from '../experiment.ts';

const HAPROXY = '/usr/sbin/haproxy';
const REDIS = '/usr/bin/redis-server';
const TEMPLATE = new URL('../../ops/balancer/haproxy.cfg', import.meta.url);
const PATIENCE_MS = 20_000;

/** Returns the reason why HAProxy or Redis cannot be started on this machine; null if both can. */
export function missingBalancer(): string | null {
  const missing = [HAPROXY, REDIS].filter((program) => !existsSync(program));
  return missing.length === 0 ? null : `there is no ${missing.join(', no ')}`;
}

/**
 * A load balancer on loopback, and a Redis for the servers behind it. Its URL is known before the servers start,
 * because they need it as their public URL.
 */
export interface Balancer {
  readonly url: string;
  readonly redisUrl: string;
  /** Starts HAProxy for these servers; resolves once it accepts connections. */
  leadTo(servers: readonly string[]): Promise<void>;
}

/** Starts Redis and reserves a port for HAProxy, which `leadTo` starts. Both end with the arena. */
export async function openBalancer(arena: Arena): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-balancer-'));
  arena.atEnd(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  const [port = 0, redisPort = 0] = await findFreePorts(2);
  const start = (program: string, name: string, args: readonly string[]) => {
    const daemon = startDaemon(program, args, { user: null, log: join(folder, `${name}.log`), cwd: folder });
    arena.atEnd(() => daemon.stop());
  };
  start(REDIS, 'redis', ['--bind', '127.0.0.1', '--port', String(redisPort), '--save', '']);
  await untilOpen(redisPort);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    async leadTo(servers) {
      const lines = servers.map((server, i) => `  server server${i + 1} ${new URL(server).host}`);
      const values = {
        LISTEN: `127.0.0.1:${port}`,
        SERVERS: lines.map((line) => `${line} check`).join('\n'),
        UNCHECKED_SERVERS: lines.join('\n'),
      };
      const file = join(folder, 'haproxy.cfg');
      await writeFile(file, fillTemplate(await readFile(TEMPLATE, 'utf8'), values));
      start(HAPROXY, 'haproxy', ['-W', '-db', '-f', file]);
      await untilOpen(port);
    },
  };
}

async function untilOpen(port: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isOpen(port))) {
    mustHold(performance.now() < deadline, `nobody listens on port ${port}`);
    await sleep(20);
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('close', () => resolve(false)).on('connect', () => socket.destroy());
  });
}
