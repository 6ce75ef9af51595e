import pg from 'pg';
import { CHANGE_CODE } from './announced-change.ts';
import { isUnfitStatement, UNREPLICATED } from './database-errors.ts';
import type { StatementNames } from './statement-names.ts';

type Answer = (error: Error | null, result?: unknown) => void;

/**
 * A session that keeps its statements by name, and that does not take a commit for done whose wait for the standby was
 * cancelled. PostgreSQL then answers as if all were well, after a WARNING: the commit stands on this server alone, and a
 * failover would lose it. Its statement fails here, with that WARNING's code (01000), and the caller reads what became of it.
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
    // Sequelize listens a moment after the session is there: an error that comes with its first bytes (the server is told
    // to end it) would have no listener and end the process. The session's own end tells Sequelize of it all the same.
    this.on('error', () => undefined);
    this.on('notice', ({ severity, code }) => {
      if (severity === 'WARNING' && code === UNREPLICATED) this.#cancelledWait = true;
    });
  }

  // The driver's type lists a dozen overloads; Sequelize calls with an answer function last.
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
      // Told before anything was done. In a transaction it is too late to try again: that is over with the error.
      if (isUnfitStatement(error) && this.#isIdle()) return send(text, values, confirmed);
      confirmed(error, result);
    });
  }

  /**
   * Tells of what the session's transaction changed, once it is over and before anyone who waits for it knows: a rollback is
   * told of too, which costs a look at the database and no more. Where the session breaks, the commit may have happened.
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
    // The client's own listener, which answers, was added when it connected: this one comes before it.
    connection.on('readyForQuery', ({ status }: { status: string }) => {
      if (status === 'I') tell();
    });
    this.on('end', tell);
  }

  /** True where no transaction was open when the statement under way was sent. */
  #isIdle(): boolean {
    return this.getTransactionStatus() === 'I';
  }
}
