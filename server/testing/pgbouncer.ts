import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fillTemplate } from '../../ops/fill-template.ts';
import { findUnprivilegedUser, giveTo } from '../src/database/embedded/unprivileged-user.ts';

/** Debian's; another one where the variable names it. */
const PROGRAM = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer';
const SETTINGS = new URL('../../ops/pooler/pgbouncer.ini', import.meta.url);
/** It listens on a socket in a folder of its own, whose name this number is: nothing else can have it. */
const PORT = '6432';
const MOST_TRIES = 1_200;

/** Why no test can use PgBouncer here; null where it can. */
export const withoutPgBouncer: string | null = existsSync(PROGRAM) ? null : `there is no ${PROGRAM}`;

/** Whether it can keep prepared statements in transaction mode: from 1.21 on. */
export const pgBouncerKeepsStatements = withoutPgBouncer === null && minorVersion() >= 21;

function minorVersion(): number {
  return Number(/^PgBouncer 1\.(\d+)/.exec(execFileSync(PROGRAM, ['--version']).toString())?.[1] ?? 0);
}

/** A PgBouncer in front of a database. */
export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The settings that operators are given; one that can keep statements keeps so many. */
async function settingsFor(values: Record<string, string>, keptStatements: number): Promise<string> {
  const text = fillTemplate(await readFile(SETTINGS, 'utf8'), values);
  if (!pgBouncerKeepsStatements) return text;
  return text.replace(/^; max_prepared_statements = \d+$/m, `max_prepared_statements = ${keptStatements}`);
}

/** Starts one in a mode of its pool; it keeps no prepared statements unless it can and is told to. */
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
  await giveTo(user, settings);
  await giveTo(user, folder);
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
