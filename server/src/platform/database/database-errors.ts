// Imports only the errors: the mock server shares the HTTP modules and needs nothing else of Sequelize.
import errors from 'sequelize/lib/errors';

/** SQLSTATE of a failed statement, and the violated constraint if any. */
export interface DatabaseErrorCode {
  readonly code: string;
  readonly constraint: string | null;
}

/**
 * Reads the SQLSTATE of an error, also if Sequelize has wrapped it. Returns null if PostgreSQL did not raise it
 * (`errorCode(error)?.code === '23505' && …constraint === 'open_run_one_live'`).
 */
export function errorCode(error: unknown): DatabaseErrorCode | null {
  const cause = driverError(error);
  const code = cause?.code;
  if (typeof code !== 'string' || !SQLSTATE.test(code)) return null;
  return { code, constraint: typeof cause?.constraint === 'string' ? cause.constraint : null };
}

/** Returns true if the statement violated exactly this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return errorCode(error)?.constraint === constraint;
}

/**
 * Returns true if the database is unavailable and the same request may succeed later: unreachable, starting, stopping,
 * read-only after a failover, out of sessions, memory or disk, too slow, or the schema changed under a transaction's
 * prepared statements. The caller responds 503.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof errors.ConnectionError || isStalePreparedStatement(error)) return true;
  const sqlState = errorCode(error)?.code;
  return sqlState ? AWAY.test(sqlState) : isBrokenConnection(error);
}

/**
 * Returns true if the database works but aborted the transaction because of another one: lock timeout, deadlock, or
 * serialization failure. The caller responds 503.
 */
export function isDatabaseBusy(error: unknown): boolean {
  return BUSY.test(errorCode(error)?.code ?? '');
}

/**
 * Returns true if a statement was sent but its result never arrived, so it may or may not have taken effect. The caller
 * reads what is stored before it decides.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof errors.ConnectionError) return false;
  const sqlState = errorCode(error)?.code;
  return sqlState ? UNKNOWN_OUTCOME.test(sqlState) : isBrokenConnection(error);
}

/**
 * Returns true if the server rolled back a statement for a reason that may concern only part of its rows (a constraint,
 * a lock, a deadlock). Retried in smaller pieces, only that part fails.
 */
export function mayRetryIndividually(error: unknown): boolean {
  const sqlState = errorCode(error)?.code;
  return sqlState !== undefined && !(AWAY.test(sqlState) && !TOOK_TOO_LONG.test(sqlState));
}

/**
 * Returns true for a code after which all sessions of the pool are stale: the server was demoted, is stopping or is
 * starting.
 */
export function isStaleSession(code: string | undefined): boolean {
  return code !== undefined && STALE_SESSION.test(code);
}

/**
 * Returns true if a prepared statement no longer fits: the schema has changed, or a pooler has reassigned the server
 * process. Nothing was executed, and sending it again works.
 */
export function isStalePreparedStatement(error: unknown): boolean {
  const code = errorCode(error)?.code;
  if (code === UNKNOWN_NAME || code === NAME_IN_USE) return true;
  return code === NOT_SUPPORTED && driverError(error)?.routine === CHECKS_PLAN;
}

const UNKNOWN_NAME = '26000';
const NAME_IN_USE = '42P05';
/**
 * SQLSTATE of many errors. The routine that raises it identifies "cached plan must not change result type" in any
 * language of the server.
 */
const NOT_SUPPORTED = '0A000';
const CHECKS_PLAN = 'RevalidateCachedQuery';

/** Pattern of a SQLSTATE. The first characters exclude E, so that EPIPE does not match. */
const SQLSTATE = /^[0-9FHPX][0-9A-Z]{4}$/;
/** SQLSTATE of a WARNING; ConfirmedClient raises it as an error for a commit that no standby has. */
export const UNREPLICATED = '01000';
const STALE_SESSION = /^(25006|57P0[123]|08...)$/;
/**
 * STALE_SESSION plus insufficient resources (53), lock and statement timeout, idle transaction timeout and I/O error.
 */
const AWAY = /^(01000|25006|57P0[1235]|08...|53...|55P03|57014|25P03|58030)$/;
/** Lock and statement timeout. */
const TOOK_TOO_LONG = /^(55P03|57014)$/;
const BUSY = /^(55P03|40P01|40001)$/;
const UNKNOWN_OUTCOME = /^(01000|57P0[12]|08...)$/;

/** Messages of errors that node-postgres raises without a code. */
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

/** Returns the driver's error, which Sequelize stores under `parent`. */
function driverError(error: unknown): DriverError | null {
  if (typeof error !== 'object' || error === null) return null;
  const { parent } = error as { parent?: unknown };
  return (typeof parent === 'object' && parent !== null ? parent : error) as DriverError;
}
