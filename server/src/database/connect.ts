import pg from 'pg';
import { Sequelize, type Transaction } from 'sequelize';
import { ConfirmedClient } from './confirmed-client.ts';
import { isStaleSession, isUnfitStatement } from './database-errors.ts';
import type { DatabaseWatch } from './database-watch.ts';
import { defineModels, type Models } from './models/models.ts';
import { setForSession } from './own-session.ts';
import { sendStatement } from './send-statement.ts';
import { createStatementNames, type StatementNames } from './statement-names.ts';

/**
 * Anything statements are sent to: the database, where each statement commits by itself, or one open transaction.
 * Repositories take it as their first parameter and it is never optional, so no statement slips out of a transaction.
 */
export interface Connection {
  /** Sequelize models of what has ordinary reads and writes; pass `{ transaction: connection.transaction }` to every call. */
  readonly models: Models;
  readonly transaction: Transaction | null;
  /**
   * Sends one hand-written statement with `$1`… for every value and answers its rows (a bigint as a number, a
   * timestamptz as a Date of whole milliseconds, numeric as text); undefined is refused.
   */
  query<Row extends object>(sql: string, bind?: readonly unknown[]): Promise<Row[]>;
  /** Told of what goes on at a pool; absent where nobody watches. */
  readonly watch?: DatabaseWatch | undefined;
}

/** What the sessions of a pool are doing. */
interface PoolState {
  readonly most: number;
  readonly inUse: number;
  readonly idle: number;
  /** Statements and transactions that have no session yet. */
  readonly waiting: number;
}

/** A pool of sessions. `close` waits for statements under way. */
export interface Database extends Connection {
  readonly sequelize: Sequelize;
  /** Ends every session after the statement it is at; the next statements open new ones. */
  renewSessions(): void;
  poolState(): PoolState;
  close(): Promise<void>;
}

/** Limits of a pool; each has a default that keeps an overload short and loud. */
export interface ConnectOptions {
  readonly poolSize?: number;
  readonly applicationName?: string;
  /** How long a statement waits for a free session before it fails. */
  readonly acquireTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  /** Sessions that refuse to write, where no pooler shares their servers with others. */
  readonly readOnly?: boolean;
  /**
   * Whether sessions keep statements that take values, by name (the default). False for a pooler that swaps the sessions
   * behind us: they then keep nothing of ours, settings neither, which would become those of another session.
   */
  readonly preparedStatements?: boolean;
  /** Told of what a transaction of this pool changed of the directory, before its commit is answered. */
  readonly onChange?: (change: string) => void;
  /** Told when a session has learnt that none can be trusted any more, as after a failover. */
  readonly onStaleSession?: () => void;
  readonly watch?: DatabaseWatch | undefined;
  /** Judges a new session before anything is sent on it; one that it rejects is ended. */
  readonly judgeSession?: (session: pg.Client) => Promise<void>;
}

const DEFAULT_POOL_SIZE = 10;
const ACQUIRE_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
/** The client gives up this long after the server should have: by then the session is wedged and is destroyed. */
const QUERY_TIMEOUT_MARGIN_MS = 1_000;
const LOCK_TIMEOUT_MS = 1_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const IDLE_SESSION_MS = 30_000;
/** Stated so that Sequelize opens no session of its own to ask; no behaviour of it depends on a newer one. */
const OLDEST_SUPPORTED_POSTGRES = '15.0.0';

/** Makes a pool of sessions on a PostgreSQL database; opens none yet, so an unreachable one fails at the first statement. */
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

/** A connection on one open transaction, or (null) on the pool. */
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

/** Sequelize has no door to its pool; a session that is being opened is in neither state. */
function poolStateOf(sequelize: Sequelize): PoolState {
  const { pool } = sequelize.connectionManager as unknown as {
    pool: Readonly<Record<'maxSize' | 'using' | 'available' | 'waiting', number>>;
  };
  return { most: pool.maxSize, inUse: pool.using, idle: pool.available, waiting: pool.waiting };
}

/** bigint arrives as text, and text added to a number is text: a number it is, or an error where it would be inexact. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond the safe integers`);
  return value;
}

/** The pg driver as Sequelize uses it, with our reading of bigint; the process-wide parsers of pg stay untouched. */
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
 * Where little is expected to be found by many joins, PostgreSQL expects much, and compiles the plan: that takes a hundred
 * times as long as running it, seconds on a busy machine, each time.
 */
const SETTINGS = { jit: 'off' };
const REFUSE_WRITES = { default_transaction_read_only: 'on' };

async function setUp(session: pg.Client, { readOnly, judgeSession }: ConnectOptions): Promise<void> {
  try {
    await setForSession(session, { ...SETTINGS, ...(readOnly ? REFUSE_WRITES : {}) });
    await judgeSession?.(session);
  } catch (error) {
    // The pool has not heard of it yet, so nobody else would end it.
    session.end().catch(() => undefined);
    throw error;
  }
}

interface Session {
  readonly connection: NodeJS.EventEmitter;
  once(event: 'end', listener: () => void): void;
  /** Sequelize's own mark: the pool destroys such a session in place of handing it out. */
  _invalid?: boolean;
}

/**
 * After a failover the pool keeps sessions on the demoted server, where every write fails for as long as they live.
 * The first error that says so marks all sessions, whichever call met it (a model, a commit, our own SQL). So does one
 * that tells of a changed schema: the others' prepared statements no longer fit either. Answers what marks them.
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
      if (stale || isUnfitStatement(error)) renew();
      if (stale) onStaleSession();
    });
  });
  return renew;
}
