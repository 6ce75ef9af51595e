// Imports only Sequelize's errors: the mock server uses the HTTP modules too and needs nothing else of Sequelize.
import errors from 'sequelize/lib/errors';

/** SQLSTATE of a failed statement, and the violated constraint; null if none was violated. */
export interface DatabaseErrorCode {
  readonly code: string;
  readonly constraint: string | null;
}

/**
 * Reads the SQLSTATE of an error, even if Sequelize has wrapped the error. Returns null if PostgreSQL did not raise
 * it. Example: `errorCode(error)?.code === '23505'`.
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
 * Returns true if the database is unavailable but the same request may succeed later. Possible causes: the database is
 * unreachable, starting, stopping, read-only after a failover, out of sessions, memory or disk, or too slow, or the
 * schema has changed under a transaction's prepared statements. The caller responds 503.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof errors.ConnectionError || isStalePreparedStatement(error)) return true;
  const sqlState = errorCode(error)?.code;
  return sqlState ? AWAY.test(sqlState) : isBrokenConnection(error);
}

/**
 * Returns true if the database works, but aborted the transaction because of another transaction: lock timeout,
 * deadlock, or serialization failure. The caller responds 503.
 */
export function isDatabaseBusy(error: unknown): boolean {
  return BUSY.test(errorCode(error)?.code ?? '');
}

/**
 * Returns true if a statement was sent but its result never arrived, so that it is unknown whether it took effect. The
 * caller reads what is stored before it decides.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof errors.ConnectionError) return false;
  const sqlState = errorCode(error)?.code;
  return sqlState ? UNKNOWN_OUTCOME.test(sqlState) : isBrokenConnection(error);
}

/**
 * Returns true if the server rolled back a statement for a reason that may concern only some of its rows (a
 * constraint, a lock, a deadlock). If the rows are then sent in smaller statements, only those rows fail.
 */
export function mayRetryIndividually(error: unknown): boolean {
  const sqlState = errorCode(error)?.code;
  return sqlState !== undefined && !(AWAY.test(sqlState) && !TOOK_TOO_LONG.test(sqlState));
}

/**
 * Returns true for a code after which all sessions of the pool are stale, because the server was demoted, is stopping
 * or starting, or the connection is broken.
 */
export function isStaleSession(code: string | undefined): boolean {
  return code !== undefined && STALE_SESSION.test(code);
}

/**
 * Returns true if a prepared statement no longer fits, because the schema has changed or a pooler has changed the
 * server process. Nothing was executed, so the statement can be sent again.
 */
export function isStalePreparedStatement(error: unknown): boolean {
  const code = errorCode(error)?.code;
  if (code === UNKNOWN_NAME || code === NAME_IN_USE) return true;
  return code === NOT_SUPPORTED && driverError(error)?.routine === CHECKS_PLAN;
}

const UNKNOWN_NAME = '26000';
const NAME_IN_USE = '42P05';
/**
 * SQLSTATE feature_not_supported, which many errors have. The error "cached plan must not change result type" is
 * recognised by the routine that raises it, because its text depends on the server's language.
 */
const NOT_SUPPORTED = '0A000';
const CHECKS_PLAN = 'RevalidateCachedQuery';

/** Pattern of a SQLSTATE. It cannot start with E, so that EPIPE does not match. */
const SQLSTATE = /^[0-9FHPX][0-9A-Z]{4}$/;
/** SQLSTATE of a WARNING. ConfirmedClient raises it as an error if no standby has confirmed a commit. */
export const UNREPLICATED = '01000';
const STALE_SESSION = /^(25006|57P0[123]|08...)$/;
/**
 * Codes of STALE_SESSION, and also unreplicated commit (01000), insufficient resources (53), lock and statement
 * timeout, idle session and idle transaction timeout, and I/O error.
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
