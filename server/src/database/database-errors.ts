// The errors alone: the mock, which is made of the same HTTP parts, has no use for the rest of Sequelize.
import errors from 'sequelize/lib/errors';

/** What PostgreSQL said of a failed statement: its SQLSTATE, and the constraint where one was violated. */
export interface DatabaseErrorCode {
  readonly code: string;
  readonly constraint: string | null;
}

/**
 * Reads the SQLSTATE through Sequelize's wrapping, or null when the error is none of PostgreSQL's
 * (`errorCode(error)?.code === '23505' && …constraint === 'open_run_one_live'`).
 */
export function errorCode(error: unknown): DatabaseErrorCode | null {
  const cause = driverError(error);
  const code = cause?.code;
  if (typeof code !== 'string' || !SQLSTATE.test(code)) return null;
  return { code, constraint: typeof cause?.constraint === 'string' ? cause.constraint : null };
}

/** True when the statement broke exactly this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return errorCode(error)?.constraint === constraint;
}

/**
 * True when the database cannot answer now and the same request may succeed later: unreachable, starting, stopping,
 * read-only after a failover, out of sessions, memory or disk, too slow, or changed beneath a transaction's prepared
 * statements. The caller answers 503.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof errors.ConnectionError || isUnfitStatement(error)) return true;
  const sqlState = errorCode(error)?.code;
  return sqlState ? AWAY.test(sqlState) : isBrokenConnection(error);
}

/**
 * True when the database works, and refused a statement for the sake of another transaction: a lock was not free in time, a
 * deadlock, or a conflict of serialisation. The whole transaction was undone. The caller answers 503.
 */
export function isDatabaseBusy(error: unknown): boolean {
  return BUSY.test(errorCode(error)?.code ?? '');
}

/**
 * True when a statement was sent and its answer never came, so that it may or may not have taken effect: the caller
 * reads what is stored before it decides.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof errors.ConnectionError) return false;
  const sqlState = errorCode(error)?.code;
  return sqlState ? UNKNOWN_OUTCOME.test(sqlState) : isBrokenConnection(error);
}

/**
 * True when the server undid a statement for a reason that may lie in a part of it (a row, a lock, a deadlock): sent
 * again in smaller pieces, only that part fails.
 */
export function mayGoAlone(error: unknown): boolean {
  const sqlState = errorCode(error)?.code;
  return sqlState !== undefined && !(AWAY.test(sqlState) && !TOOK_TOO_LONG.test(sqlState));
}

/** True for a code after which no session of the pool can be trusted: demoted, ended or starting server. */
export function isStaleSession(code: string | undefined): boolean {
  return code !== undefined && STALE_SESSION.test(code);
}

/**
 * True when a session's prepared statement no longer fits: the schema has changed beneath it, or a pooler has swapped
 * the sessions. Nothing was done, and sent anew it works.
 */
export function isUnfitStatement(error: unknown): boolean {
  const code = errorCode(error)?.code;
  if (code === UNKNOWN_NAME || code === NAME_IN_USE) return true;
  return code === NOT_SUPPORTED && driverError(error)?.routine === CHECKS_PLAN;
}

const UNKNOWN_NAME = '26000';
const NAME_IN_USE = '42P05';
/** The code of much else too: what tells "cached plan must not change result type" in any language is who says it. */
const NOT_SUPPORTED = '0A000';
const CHECKS_PLAN = 'RevalidateCachedQuery';

/** The classes' first characters leave out E, so that EPIPE is none. */
const SQLSTATE = /^[0-9FHPX][0-9A-Z]{4}$/;
/** A WARNING's own code; a session makes an error of it where it means a commit that no standby has. */
export const UNREPLICATED = '01000';
const STALE_SESSION = /^(25006|57P0[123]|08...)$/;
/** Besides those: resources (53), lock and statement timeout, an idle transaction that was ended. */
const AWAY = /^(01000|25006|57P0[1235]|08...|53...|55P03|57014|25P03|58030)$/;
/** Lock and statement timeout. */
const TOOK_TOO_LONG = /^(55P03|57014)$/;
const BUSY = /^(55P03|40P01|40001)$/;
const UNKNOWN_OUTCOME = /^(01000|57P0[12]|08...)$/;

/** node-postgres has no code for these two. */
const BROKEN_CONNECTION =
  /^(Connection terminated|Query read timeout|Client has encountered a connection error)/;
const SOCKET_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTCONN',
]);

function isBrokenConnection(error: unknown): boolean {
  const cause = driverError(error);
  if (!cause) return false;
  return SOCKET_CODES.has(String(cause.code)) || BROKEN_CONNECTION.test(String(cause.message));
}

interface DriverError {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message?: unknown;
  readonly routine?: unknown;
}

/** Sequelize keeps the driver's error under `parent`. */
function driverError(error: unknown): DriverError | null {
  if (typeof error !== 'object' || error === null) return null;
  const { parent } = error as { parent?: unknown };
  return (typeof parent === 'object' && parent !== null ? parent : error) as DriverError;
}
