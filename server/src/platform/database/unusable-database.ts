import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode, isDatabaseUnavailable, isStalePreparedStatement } from './database-errors.ts';
import { isDirectSession, QUICK, withSession } from './with-session.ts';

/** Time limit of a wait for the database, and callback for the beginning of the wait. */
export interface DatabaseWait {
  readonly seconds: number;
  /** Called once, at the first failure that may be temporary. */
  onWait(error: unknown): void;
}

interface Time {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const REAL_TIME: Time = { now: () => performance.now(), sleep };

/** DNS and network errors that may be temporary. */
const UNREACHABLE = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH']);
/** Message of node-postgres's connect timeout, which has no code. */
const CONNECT_TIMEOUT = /^(timeout expired|Connection terminated due to connection timeout)/;
/**
 * Errors that waiting for the server does not resolve: locks, slow statements, full disks, lost replication, unusable
 * prepared statements.
 */
const NOT_THE_SERVER = /^(55P03|57014|25P03|53100|01000|58030|26000|42P05|0A000)$/;

/**
 * Runs work and retries it while the server is unreachable, starting or failing over. The work must be repeatable.
 * Rejects with the last error after `seconds`, and at once with an error that waiting does not resolve. Without
 * waiting, `unusable-database.test.ts` fails.
 */
export async function waitForDatabase<Result>(
  work: () => Promise<Result>,
  { seconds, onWait }: DatabaseWait,
  time: Time = REAL_TIME,
): Promise<Result> {
  const until = time.now() + seconds * 1_000;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || time.now() + pauseMs > until) throw error;
      if (pauseMs === FIRST_PAUSE_MS) onWait(error);
    }
    await time.sleep(pauseMs);
  }
}

function mayPass(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  if (UNREACHABLE.has(String(code)) || CONNECT_TIMEOUT.test(message)) return true;
  return isDatabaseUnavailable(error) && !NOT_THE_SERVER.test(errorCode(error)?.code ?? '');
}

interface Failure {
  readonly code?: unknown;
  readonly message?: string;
  /** One error for each address, if the host has several. */
  readonly errors?: readonly Failure[];
  /** PostgreSQL's error, for a failed migration. */
  readonly cause?: unknown;
  /** Name of the failed migration. */
  readonly migration?: { readonly name: string };
}

/** Advice for operators, by the error of PostgreSQL, the driver or the system in the form `code message`. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'Correct the user and the password in DATABASE_URL, or allow them in pg_hba.conf'],
  [/client password must be a string/, 'Add the password to DATABASE_URL'],
  [/^3D000/, 'Create that database (CREATE DATABASE), or name another one in DATABASE_URL'],
  [
    /^42501.*pg_trgm/,
    'Let a superuser run "CREATE EXTENSION pg_trgm" in that database once, or make the user of DATABASE_URL its owner',
  ],
  [
    /^(0A000|58P01).*pg_trgm/,
    'Install the extensions that come with PostgreSQL on its machine (on Debian the package postgresql-contrib)',
  ],
  [/^42501/, 'Make the user of DATABASE_URL the owner of that database (ALTER DATABASE … OWNER TO …)'],
  [/^25006/, 'Set DATABASE_URL to the primary: a replica is read-only'],
  [/^53300/, 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE and DATABASE_READ_POOL_SIZE'],
  [/^53100|^58030/, 'Free some space on the disk of PostgreSQL'],
  [
    /^(55P03|40P01)/,
    'A long transaction holds a lock that the change needs: wait for its end or end it (pg_stat_activity), then start again. Nothing was changed',
  ],
  [/^57P03/, 'Wait until PostgreSQL has started, and start again'],
  [/^ENOENT.*, open/, 'Correct the paths of the certificates in DATABASE_URL (sslrootcert, sslcert, sslkey)'],
  [/^(ECONNREFUSED|ENOENT)/, 'Start PostgreSQL there, or correct the host and the port in DATABASE_URL'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'Correct the host in DATABASE_URL'],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE|timeout expired|Query read timeout|Connection terminated)/,
    'See that the host and the port in DATABASE_URL are right, and that no firewall is between',
  ],
  [/does not support SSL/, 'Enable TLS in PostgreSQL (ssl = on), or remove sslmode from DATABASE_URL'],
  [/certificate/i, 'Set sslrootcert in DATABASE_URL to the certificate authority of PostgreSQL'],
];

/** Explains why the database of DATABASE_URL cannot be used and, if known, what to do. */
export function unusableDatabase(error: unknown): Error {
  const failure = innermost(error as Failure);
  const place = (error as Failure).migration
    ? `migration ${(error as Failure).migration?.name} failed: `
    : '';
  const reason = `The database that DATABASE_URL names cannot be used: ${place}${messageOf(failure)}.`;
  const advice = adviceOn(failure);
  return new Error(advice === null ? reason : `${reason} ${advice}.`, { cause: error });
}

/** Explains a failure for which there is advice; returns any other failure unchanged. */
export function explainedFailure(error: unknown): unknown {
  return adviceOn(innermost(error as Failure)) === null ? error : unusableDatabase(error);
}

function adviceOn(failure: Failure): string | null {
  const text = `${String(failure.code ?? '')} ${failure.message ?? ''}`.trim();
  return ADVICE.find(([words]) => words.test(text))?.[1] ?? null;
}

function innermost(error: Failure): Failure {
  if (error.migration && error.cause) return innermost(error.cause as Failure);
  return error.errors?.[0] ?? error;
}

/** Returns the message without its final full stop. */
function messageOf({ message, code }: Failure): string {
  return (message || String(code ?? 'no reason given')).replace(/\.$/, '');
}

/**
 * Number of attempts of the check. In one attempt, a busy pooler may by chance give the two sessions different server
 * processes.
 */
const ROUNDS = 5;
const POOLER_ADVICE =
  'The database is behind a pooler that does not support prepared statements (such as PgBouncer before 1.21 in transaction ' +
  'mode): set DATABASE_PREPARED_STATEMENTS to off, or enable them in the pooler (PgBouncer: max_prepared_statements ' +
  'above 0, or pool_mode=session).';

/**
 * Rejects with advice if a pooler breaks prepared statements. The check prepares a statement of the same name on two
 * sessions. If the pooler does not support prepared statements and gives both sessions the same server process, the
 * names conflict. Without the check, `pooler.long.test.ts` fails.
 */
export async function requirePreparedStatements(url: string): Promise<void> {
  await withSession(url, QUICK, async (one) => {
    // A direct connection answers from the server process that it reported when it was opened. It needs no further
    // check.
    if (isDirectSession(one, await preparedOn(one, newName()))) return;
    await withSession(url, QUICK, async (other) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = newName();
        for (const session of [one, other, one]) await preparedOn(session, name);
      }
    });
  }).catch((error: unknown) => {
    throw isStalePreparedStatement(error) ? new Error(POOLER_ADVICE) : error;
  });
}

const newName = () => `td_check_${randomBytes(6).toString('hex')}`;

/** Runs a statement by name, which prepares it the first time. Returns the id of the server process that ran it. */
async function preparedOn(session: pg.Client, name: string): Promise<number | undefined> {
  const text = 'SELECT pg_backend_pid() AS pid WHERE $1::boolean';
  const { rows } = await session.query<{ pid: number }>({ name, text, values: [true] });
  return rows[0]?.pid;
}
