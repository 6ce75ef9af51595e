import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fillTemplate } from '../../ops/fill-template.ts';
import { changeOwner, findUnprivilegedUser } from '../src/platform/embedded-postgres/postgres-programs.ts';

/** Debian's program, or the one in the variable. */
const PROGRAM = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer';
const SETTINGS = new URL('../../ops/pooler/pgbouncer.ini', import.meta.url);
/** Port number in the name of its socket; the socket's folder is its own, so there is no conflict. */
const PORT = '6432';
const MOST_TRIES = 1_200;

/** Reason why PgBouncer is unavailable here; null if it is available. */
export const withoutPgBouncer: string | null = existsSync(PROGRAM) ? null : `there is no ${PROGRAM}`;

/** True if it supports prepared statements in transaction mode (1.21 and newer). */
export const pgBouncerKeepsStatements = withoutPgBouncer === null && minorVersion() >= 21;

function minorVersion(): number {
  return Number(/^PgBouncer 1\.(\d+)/.exec(execFileSync(PROGRAM, ['--version']).toString())?.[1] ?? 0);
}

/** PgBouncer in front of a database. */
export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Returns the settings recommended to operators, with the number of prepared statements if it supports them. */
async function settingsFor(values: Record<string, string>, keptStatements: number): Promise<string> {
  const text = fillTemplate(await readFile(SETTINGS, 'utf8'), values);
  if (!pgBouncerKeepsStatements) return text;
  return text.replace(/^; max_prepared_statements = \d+$/m, `max_prepared_statements = ${keptStatements}`);
}

/** Starts a PgBouncer with a pool mode. It supports prepared statements only if it can and `keptStatements` is set. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'transaction' | 'session',
  keptStatements = 0,
): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-pgbouncer-'));
  const settings = join(folder, 'pgbouncer.ini');
  const database = `host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}`;
  const values = {
    TARGET: database,
    PORT,
    SOCKET_FOLDER: folder,
    AUTHENTICATION: 'any',
    POOL_MODE: mode,
  };
  const text = await settingsFor(values, keptStatements);
  await writeFile(settings, text, { mode: 0o600 });
  const user = await findUnprivilegedUser();
  await changeOwner(user, settings);
  await changeOwner(user, folder);
  const child = spawn(PROGRAM, ['-q', settings], { ...(user ?? {}), stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = new URL(databaseUrl);
  url.port = PORT;
  url.searchParams.set('host', folder);
  await untilListening(join(folder, `.s.PGSQL.${PORT}`));
  return {
    url: url.href,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function untilListening(path: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const socket = connect(path);
    const listens = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (listens) return;
    await wait(50);
  }
  throw new Error('PgBouncer does not listen');
}
