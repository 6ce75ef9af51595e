import type pg from 'pg';
import type { Sequelize, Transaction } from 'sequelize';

interface Session extends pg.Client {
  /** Sequelize's own mark: the pool destroys such a session in place of handing it out. */
  _invalid?: boolean;
}

/** The part of Sequelize's connection manager that lends the pool's sessions. */
interface Pool {
  getConnection(options: object): Promise<Session>;
  releaseConnection(session: Session): void;
}

/**
 * Sends one statement on the open transaction's session or, without one, on any session of the pool, straight to the driver:
 * Sequelize's own way costs several times as much work in this process, and gives our SQL nothing for it.
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
  if (finished) throw new Error(`The transaction is over (${finished}): nothing can be sent in it any more.`);
  return connection;
}

/** A text cannot hold a zero byte: it is stored as the two characters `\0`. */
function sendable(value: unknown, place: number): unknown {
  if (value === undefined) throw new Error(`The value $${place + 1} of a statement is undefined.`);
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\\0') : value;
}

const NEVER_CAME = 'Query read timeout';

function answerOf<Row>(session: Session, sql: string, values: unknown[]): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const answer = (error: Error & { code?: string }, result: { rows: Row[] } | { rows: Row[] }[]) => {
      if (!error) return resolve(Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows);
      // The session is of no more use: what it answers later would be taken for the next statement's.
      if (error.code === 'ECONNRESET' || error.message === NEVER_CAME) session._invalid = true;
      reject(error);
    };
    const send = session.query.bind(session) as (...call: unknown[]) => void;
    if (values.length > 0) send(sql.trim(), values, answer);
    else send(sql, answer);
  });
}
