import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Sequelize, Transaction } from 'sequelize';
import type { Connection } from './connect.ts';

/**
 * Maximum number of named statements per pool. It is limited because each session keeps their plans for its lifetime.
 */
const MOST_NAMES = 300;

/**
 * Prefix of a statement whose best plan depends on its values, such as search words or a nullable filter. Named
 * statements may switch to a generic plan, which ignores the values. Without the prefix, `cached-plans.long.test.ts`
 * fails.
 */
export const FRESH_PLAN = '/* planned anew */';

/**
 * Prefix of a statement in a batch that fills tables. Without the prefix, the statement would share its cached plan
 * with the same statement of requests, which is planned for full tables.
 */
export const INDEX_PLAN = '/* planned by index */';

/** Matches statements that PostgreSQL plans. Other statements do not get faster by a name. */
const PLANNED = /^\s*(SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES)\b/i;

/**
 * Names under which the sessions of a pool prepare statements, so that each session parses each statement once and can
 * reuse its plan.
 */
export interface StatementNames {
  /**
   * Returns the name of a statement, or null to send it unnamed. A statement is unnamed if it takes no values, is not
   * planned by PostgreSQL, has the FRESH_PLAN prefix, or comes after the limit is reached.
   */
  nameOf(text: unknown, values: unknown): string | null;
}

/**
 * Creates the names of a pool's statements. A name is derived from the text alone, so that it is the same in every
 * process. Only the first `most` texts get a name. A read of four tables takes 0.26 to 0.39 × as long with a name as
 * without (`npm run bench -- mechanisms`). Without names, `prepared-statements.db.test.ts` fails.
 */
export function createStatementNames(most = MOST_NAMES): StatementNames {
  const names = new Map<string, string>();
  return {
    nameOf(text, values) {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return null;
      const known = names.get(text);
      if (known) return known;
      if (names.size >= most || !PLANNED.test(text.replace(INDEX_PLAN, ''))) return null;
      const name = `td_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
      names.set(text, name);
      return name;
    },
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns true if a text has the usual form of a row id (UUID). PostgreSQL rejects a statement with an invalid UUID.
 */
export function isRowId(text: string): boolean {
  return UUID.test(text);
}

interface Session extends pg.Client {
  /** Private flag of Sequelize: the pool destroys a session with this flag instead of reusing it. */
  _invalid?: boolean;
}

/** Part of Sequelize's connection manager that hands out the sessions of the pool. */
interface Pool {
  getConnection(options: object): Promise<Session>;
  releaseConnection(session: Session): void;
}

/**
 * Sends one statement on the open transaction's session or, without one, on any session of the pool. It bypasses
 * Sequelize's query method, which adds nothing for hand-written SQL. The direct way takes 0.61 × the CPU time in Node
 * (`npm run bench -- mechanisms`).
 */
export async function sendStatement<Row extends object>(
  sequelize: Sequelize,
  transaction: Transaction | null,
  sql: string,
  bind: readonly unknown[],
): Promise<Row[]> {
  const values = bind.map(sendable);
  if (transaction) return answerOf<Row>(sessionOf(transaction), sql, values);
  const pool = sequelize.connectionManager as unknown as Pool;
  const session = await pool.getConnection({});
  try {
    return await answerOf<Row>(session, sql, values);
  } finally {
    pool.releaseConnection(session);
  }
}

function sessionOf(transaction: Transaction): Session {
  const { connection, finished } = transaction as unknown as { connection: Session; finished?: string };
  if (finished) throw new Error(`The transaction has ended (${finished}): it accepts no more statements.`);
  return connection;
}

/**
 * Replaces zero bytes, which PostgreSQL text cannot hold, by the two characters `\0`. Throws for an undefined value.
 */
function sendable(value: unknown, place: number): unknown {
  if (value === undefined) throw new Error(`The value $${place + 1} of a statement is undefined.`);
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\\0') : value;
}

const NEVER_CAME = 'Query read timeout';

function answerOf<Row>(session: Session, sql: string, values: unknown[]): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const answer = (error: Error & { code?: string }, result: { rows: Row[] } | { rows: Row[] }[]) => {
      if (!error) return resolve(Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows);
      // Destroy the session, because a late answer would be taken for the answer to the next statement.
      if (error.code === 'ECONNRESET' || error.message === NEVER_CAME) session._invalid = true;
      reject(error);
    };
    const send = session.query.bind(session) as (...call: unknown[]) => void;
    if (values.length > 0) send(sql.trim(), values, answer);
    else send(sql, answer);
  });
}

/** Resolves if the database answers a trivial statement; rejects with the reason otherwise. */
export async function pingDatabase(connection: Pick<Connection, 'query'>): Promise<void> {
  await connection.query('SELECT 1 AS one');
}

/** Collects the parameters of a statement, so that its text contains only `$1`, `$2`, …. */
export class BindParameters {
  readonly list: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/** Builds a WHERE clause that requires all of the conditions; empty if there are none. */
export function whereClause(all: readonly string[]): string {
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}

/**
 * Returns a connection for work that fills tables, on which every statement is planned anew. A plan that was cached
 * while the tables were empty would scan them fully, even after they have grown.
 */
export function withFreshPlan<Some extends Connection>(connection: Some): Some {
  return {
    ...connection,
    query: <Row extends object>(sql: string, bind: readonly unknown[] = []) =>
      connection.query<Row>(`${FRESH_PLAN} ${sql}`, bind),
  };
}

/** Number of batches that each session has processed. */
const BATCHES = new WeakMap<object, number>();

/**
 * Returns the connection of an open transaction, configured for a batch that fills tables. It forces index lookups,
 * because the statistics of recently empty tables do not suggest them. Plans are cached, since planning takes longer
 * than executing a batch. They are discarded whenever the session's number of batches has doubled, because plans for
 * small tables do not fit large ones. Without cached plans or their renewal, `prepared-statements.db.test.ts` fails.
 */
export async function withIndexPlans(connection: Connection): Promise<Connection> {
  const { connection: session } = connection.transaction as unknown as { connection: object };
  const batches = (BATCHES.get(session) ?? 0) + 1;
  BATCHES.set(session, batches);
  // True for powers of two.
  const isDoubled = (batches & (batches - 1)) === 0;
  await connection.query(`${BY_INDEX}${isDoubled ? '; DISCARD PLANS' : ''}`);
  return {
    ...connection,
    query: <Row extends object>(sql: string, bind: readonly unknown[] = []) =>
      connection.query<Row>(`${INDEX_PLAN} ${sql}`, bind),
  };
}

const BY_INDEX = `SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
  SET LOCAL jit = off; SET LOCAL plan_cache_mode = force_generic_plan`;
