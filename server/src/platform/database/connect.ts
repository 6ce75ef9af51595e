import pg from 'pg';
import { Sequelize, type Transaction } from 'sequelize';
import { ConfirmedClient } from './confirmed-client.ts';
import { isStalePreparedStatement, isStaleSession } from './database-errors.ts';
import { defineModels, type Models } from './models/models.ts';
import { createStatementNames, type StatementNames, sendStatement } from './send-statement.ts';
import { setForSession } from './with-session.ts';

/**
 * Database on which each statement commits by itself, or one open transaction. Every query function requires it as its
 * first parameter, so that no statement runs outside its transaction by accident.
 */
export interface Connection {
  /** Sequelize models for ordinary reads and writes; pass `{ transaction: connection.transaction }` to every call. */
  readonly models: Models;
  readonly transaction: Transaction | null;
  /**
   * Sends one hand-written statement with values for `$1`, `$2`… and returns its rows. A bigint becomes a number, a
   * timestamptz becomes a Date with milliseconds, and a numeric becomes a text. Rejects undefined values, and bigints
   * that a number cannot hold exactly.
   */
  query<Row extends object>(sql: string, bind?: readonly unknown[]): Promise<Row[]>;
  /** Observer of the pool's statements; optional. */
  readonly watch?: DatabaseObserver | undefined;
}

/** Number of sessions of a pool by state. */
interface PoolState {
  /** Maximum number of sessions. */
  readonly most: number;
  readonly inUse: number;
  readonly idle: number;
  /** Statements and transactions that wait for a session. */
  readonly waiting: number;
}

/** Pool of sessions. `close` waits for statements in flight. */
export interface Database extends Connection {
  readonly sequelize: Sequelize;
  /** Replaces every session once its current statement or transaction has ended. */
  renewSessions(): void;
  poolState(): PoolState;
  close(): Promise<void>;
}

/** Options of a pool. With the default timeouts, an overloaded pool fails fast. */
export interface ConnectOptions {
  readonly poolSize?: number;
  readonly applicationName?: string;
  /** Maximum time for which a statement waits for a free session, and a new session for its connection. */
  readonly acquireTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  /** Makes sessions read-only. Has no effect behind a pooler or if `preparedStatements` is false. */
  readonly readOnly?: boolean;
  /**
   * Prepares repeated statements, each once per session (default); `StatementNames` selects them. Set false for a
   * pooler that changes the server process of a session. Sessions then keep neither prepared statements nor settings,
   * because other clients of the pooler would get them.
   */
  readonly preparedStatements?: boolean;
  /** Called with each directory change that a transaction of this pool announces, before its commit resolves. */
  readonly onChange?: (change: string) => void;
  /** Called when an error shows that all sessions are stale, for example after a failover. */
  readonly onStaleSession?: () => void;
  readonly watch?: DatabaseObserver | undefined;
  /**
   * Checks a new session before it is used. If it rejects, the session is closed. Not called if `preparedStatements` is
   * false.
   */
  readonly checkSession?: (session: pg.Client) => Promise<void>;
}

const DEFAULT_POOL_SIZE = 10;
const ACQUIRE_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
/**
 * Time that the client waits beyond the statement timeout of the server. The client then gives up on the statement, and
 * its session is destroyed.
 */
const QUERY_TIMEOUT_MARGIN_MS = 1_000;
const LOCK_TIMEOUT_MS = 1_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const IDLE_SESSION_MS = 30_000;
/**
 * Server version that Sequelize assumes, so that it opens no session to ask for the version. Sequelize does nothing
 * differently for newer versions.
 */
const OLDEST_SUPPORTED_POSTGRES = '15.0.0';

/**
 * Creates a pool of sessions on a PostgreSQL database. It connects only when the first statement is sent, which fails
 * if the database is unreachable.
 */
export function connect(url: string, options: ConnectOptions = {}): Database {
  const sequelize = new Sequelize(url, sequelizeOptions(options));
  const renewSessions = dropStaleSessions(sequelize, options.onStaleSession);
  const keepsSettings = options.preparedStatements !== false;
  if (keepsSettings) sequelize.addHook('afterConnect', (session) => setUp(session as pg.Client, options));
  return {
    ...connectionTo(sequelize, defineModels(sequelize), null),
    watch: options.watch,
    sequelize,
    renewSessions,
    poolState: () => poolStateOf(sequelize),
    close: () => sequelize.close(),
  };
}

function sequelizeOptions(options: ConnectOptions) {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const acquireTimeoutMs = options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS;
  return {
    dialect: 'postgres',
    dialectModule: driverWith(
      options.preparedStatements === false ? null : createStatementNames(),
      options.onChange,
    ),
    databaseVersion: OLDEST_SUPPORTED_POSTGRES,
    logging: false,
    pool: {
      max: options.poolSize ?? DEFAULT_POOL_SIZE,
      min: 0,
      acquire: acquireTimeoutMs,
      idle: IDLE_SESSION_MS,
    },
    define: { underscored: true, timestamps: false, freezeTableName: true },
    dialectOptions: {
      application_name: options.applicationName ?? 'trust-directory',
      keepAlive: true,
      connectionTimeoutMillis: acquireTimeoutMs,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + QUERY_TIMEOUT_MARGIN_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
  } as const;
}

/** Creates a connection on one open transaction or, if null, on the pool. */
export function connectionTo(
  sequelize: Sequelize,
  models: Models,
  transaction: Transaction | null,
): Connection {
  return {
    models,
    transaction,
    query: <Row extends object>(sql: string, bind: readonly unknown[] = []) =>
      sendStatement<Row>(sequelize, transaction, sql, bind),
  };
}

/** Reads the state from Sequelize's private pool. Sessions that are still connecting are not counted. */
function poolStateOf(sequelize: Sequelize): PoolState {
  const { pool } = sequelize.connectionManager as unknown as {
    pool: Readonly<Record<'maxSize' | 'using' | 'available' | 'waiting', number>>;
  };
  return { most: pool.maxSize, inUse: pool.using, idle: pool.available, waiting: pool.waiting };
}

/** Parses a bigint, which the driver delivers as text, into a number. Throws if the number would be inexact. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`bigint ${text} exceeds the safe integers of JavaScript`);
  return value;
}

/**
 * Wraps the pg driver for Sequelize with a bigint parser for this pool only; the process-wide parsers of pg stay
 * unchanged.
 */
function driverWith(names: StatementNames | null, onChange?: (change: string) => void) {
  return {
    Client: class extends ConfirmedClient {
      constructor(config: pg.ClientConfig) {
        super(config, names, onChange);
      }
    },
    defaults: pg.defaults,
    types: {
      ...pg.types,
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.INT8 ? parseBigint : pg.types.getTypeParser(oid, format as 'text'),
    },
  };
}

/**
 * Settings of every session. PostgreSQL overestimates the rows of many joins and would compile their plans with JIT.
 * Compiling takes a hundred times as long as running the plan: seconds on a busy machine. The default cost of a random
 * page assumes a hard disk. With it, a search would sort the whole table instead of reading its first rows by an index,
 * which takes twice as long (`npm run bench -- search`).
 */
const SETTINGS = { jit: 'off', random_page_cost: '1.1' };
const REFUSE_WRITES = { default_transaction_read_only: 'on' };

async function setUp(session: pg.Client, { readOnly, checkSession }: ConnectOptions): Promise<void> {
  try {
    await setForSession(session, { ...SETTINGS, ...(readOnly ? REFUSE_WRITES : {}) });
    await checkSession?.(session);
  } catch (error) {
    // Close it here: the pool does not know the session yet.
    session.end().catch(() => undefined);
    throw error;
  }
}

interface Session {
  readonly connection: NodeJS.EventEmitter;
  once(event: 'end', listener: () => void): void;
  /** Private flag of Sequelize: the pool destroys a session with this flag instead of reusing it. */
  _invalid?: boolean;
}

/**
 * Invalidates all sessions when one is stale. After a failover the pool keeps sessions on the demoted server, where
 * every write fails. The first error that shows this, in any statement, invalidates them all. An error that shows a
 * changed schema also invalidates all sessions, because their prepared statements no longer fit. Returns the function
 * that invalidates the sessions. If only the failed session is replaced, `connect.db.test.ts` fails.
 */
function dropStaleSessions(sequelize: Sequelize, onStaleSession: () => void = () => undefined): () => void {
  const sessions = new Set<Session>();
  const renew = () => {
    for (const each of sessions) each._invalid = true;
  };
  sequelize.addHook('afterConnect', (client: unknown) => {
    const session = client as Session;
    sessions.add(session);
    session.once('end', () => sessions.delete(session));
    session.connection.on('errorMessage', (error: { code?: string }) => {
      const stale = isStaleSession(error.code);
      if (stale || isStalePreparedStatement(error)) renew();
      if (stale) onStaleSession();
    });
  });
  return renew;
}

/**
 * Observer of a pool's batched statements, and of the credit holds that are released, for metrics and traces. Its
 * methods are cheap and never throw.
 */
export interface DatabaseObserver {
  /** Called when an item is queued for a batch. The value that it returns is passed to `onSend`. */
  onQueued?(): unknown;
  /**
   * Called when a batch is sent, with the name of its statement and the values that `onQueued` returned for its items.
   * Returns a function that is called when the statement ends.
   */
  onSend(statement: string, askers: readonly unknown[]): (hasFailed: boolean) => void;
  /** Called with the number of expired holds that were released. */
  onHoldsReleased?(holds: number): void;
}

/** Combines two observers. Calls `onQueued` of the second observer only. */
export function combineObservers(
  one: DatabaseObserver | undefined,
  other: DatabaseObserver | undefined,
): DatabaseObserver | undefined {
  if (!one || !other) return one ?? other;
  return {
    onQueued: () => other.onQueued?.(),
    onSend(statement, askers) {
      const ended = [one.onSend(statement, askers), other.onSend(statement, askers)];
      return (hasFailed) => {
        for (const tell of ended) tell(hasFailed);
      };
    },
    onHoldsReleased(holds) {
      one.onHoldsReleased?.(holds);
      other.onHoldsReleased?.(holds);
    },
  };
}
