import pg from 'pg';
import { CHANGE_CODE } from './change-announcements.ts';
import { isStalePreparedStatement, UNREPLICATED } from './database-errors.ts';
import type { StatementNames } from './send-statement.ts';

/**
 * SQL expression that writes a logical message in its transaction. The commit then waits until a standby has confirmed
 * everything that was read before. Without it, a primary that is cut off from its standbys may show commits whose wait
 * for a standby was cancelled. A failover would lose these commits.
 */
export const CONFIRM_READS = "pg_logical_emit_message(true, 'trust-directory', '')";

/** SQL condition that is true if commits wait for a standby. */
export const WAITS_FOR_STANDBY = "current_setting('synchronous_standby_names') <> ''";

/**
 * FROM item with one row that confirms reads if commits wait for a standby. On a standby it does nothing, because the
 * standby's data is already replicated.
 */
export const CONFIRMED = `(SELECT CASE WHEN ${WAITS_FOR_STANDBY} AND NOT pg_is_in_recovery()
    THEN ${CONFIRM_READS} END) confirmed`;

type Answer = (error: Error | null, result?: unknown) => void;

/**
 * Session with named prepared statements that also detects unreplicated commits. If the wait for the standby is
 * cancelled, PostgreSQL reports success after a WARNING, but the commit exists on this server only and a failover
 * would lose it. The statement is then rejected with that WARNING's code (01000), and the caller reads what was
 * stored. Without sending stale prepared statements again, `prepared-statements.db.test.ts` fails. Without the check
 * of the WARNING, `confirmed-client.db.test.ts` fails. Without reporting the changes of this session,
 * `announced-changes.db.test.ts` fails.
 */
export class ConfirmedClient extends pg.Client {
  #cancelledWait = false;
  readonly #names: StatementNames | null;

  constructor(
    config: pg.ClientConfig,
    names: StatementNames | null,
    onChange: (change: string) => void = () => undefined,
  ) {
    super(config);
    this.#names = names;
    this.#passOnChanges(onChange);
    // Sequelize adds its error listener only once the session is open. An earlier error, such as a shutdown message in
    // the first bytes, would be unhandled and end the process. The 'end' event still informs Sequelize.
    this.on('error', () => undefined);
    this.on('notice', ({ severity, code }) => {
      if (severity === 'WARNING' && code === UNREPLICATED) this.#cancelledWait = true;
    });
  }

  // The driver's type lists a dozen overloads; Sequelize passes a callback as the last argument.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  override query(...call: any[]): any {
    const answer: unknown = call.at(-1);
    const send = super.query.bind(this) as (...call: unknown[]) => unknown;
    if (typeof answer !== 'function') return send(...call);
    const confirmed: Answer = (error, result) => {
      const cancelled = this.#cancelledWait;
      this.#cancelledWait = false;
      if (error || !cancelled) return (answer as Answer)(error, result);
      const reason = 'the wait for the standby was cancelled: the commit may be lost';
      (answer as Answer)(Object.assign(new Error(reason), { code: UNREPLICATED }));
    };
    const [text, values] = call;
    const name = this.#names?.nameOf(text, values);
    if (!name) return send(...call.slice(0, -1), confirmed);
    return send({ name, text, values }, (error: Error | null, result?: unknown) => {
      // Nothing was executed yet, so send the statement again without a name. Inside a transaction this is impossible,
      // because the error has aborted it.
      if (isStalePreparedStatement(error) && this.#isIdle()) return send(text, values, confirmed);
      confirmed(error, result);
    });
  }

  /**
   * Reports the changes that the session's transaction announced, when the transaction ends and before its caller
   * continues. Also reports them after a rollback, because an unnecessary invalidation is cheap, and when the session
   * breaks, because the commit may have happened.
   */
  #passOnChanges(onChange: (change: string) => void): void {
    let changes: string[] = [];
    const tell = () => {
      const told = changes;
      changes = [];
      for (const change of told) onChange(change);
    };
    this.on('notice', ({ code, message }) => {
      if (code === CHANGE_CODE && message) changes.push(message);
    });
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    // Runs before the client's own listener, which is added later, on connect, and resolves the caller's promise.
    connection.on('readyForQuery', ({ status }: { status: string }) => {
      if (status === 'I') tell();
    });
    this.on('end', tell);
  }

  /** Returns true if no transaction was open when the current statement was sent. */
  #isIdle(): boolean {
    return this.getTransactionStatus() === 'I';
  }
}
