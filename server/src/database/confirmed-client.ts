import pg from 'pg';
import type { Connection } from './connect.ts';
import { UNREPLICATED } from './database-errors.ts';

type Answer = (error: Error | null, result?: unknown) => void;

/**
 * A session that does not take a commit for done whose wait for the standby was cancelled. PostgreSQL then answers as
 * if all were well, after a WARNING: the commit stands on this server alone, and a failover would lose it. Its
 * statement fails here, with that WARNING's code (01000), and the caller reads what became of it.
 */
export class ConfirmedClient extends pg.Client {
  #cancelledWait = false;

  constructor(...config: ConstructorParameters<typeof pg.Client>) {
    super(...config);
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
    return send(...call.slice(0, -1), confirmed);
  }
}

/**
 * Answers once everything that is committed by now is as safe as a commit is meant to be: it commits a message of its
 * own, which the standby confirms after all that came before it. Rejects where that can't be had.
 */
export async function confirmCommitted(connection: Connection): Promise<void> {
  await connection.query("SELECT pg_logical_emit_message(true, 'trust-directory', '')::text AS position");
}
