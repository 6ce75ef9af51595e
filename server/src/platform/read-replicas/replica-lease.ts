import type { Connection } from '../database/connect.ts';

/** Connections and callbacks of a lease. */
export interface ReplicaLeaseParts {
  readonly replica: Pick<Connection, 'query'>;
  readonly primary: Connection;
  /** Called at most once per lease, with the replica's error for a statement that the primary could execute. */
  onFailure(error: unknown): void;
  /** Called when a statement runs on the primary instead of the replica. */
  onFallback(): void;
}

/**
 * Lease of a replica for reads. A statement that fails on the replica runs on the primary. If it succeeds there, the
 * lease ends, and all its later statements run on the primary, so that no read sees an older state than the one before.
 * Without the fallback, `replica-lease.test.ts` fails.
 */
export class ReplicaLease implements Connection {
  readonly transaction = null;
  readonly #parts: ReplicaLeaseParts;
  /** Functions that reject the statements waiting for the replica. */
  readonly #waiting = new Set<(error: unknown) => void>();
  #isOver = false;

  constructor(parts: ReplicaLeaseParts) {
    this.#parts = parts;
  }

  /** Models of the primary. The replica needs none, because no public response is read through a model. */
  get models(): Connection['models'] {
    return this.#parts.primary.models;
  }

  async query<Row extends object>(sql: string, bind: readonly unknown[] = []): Promise<Row[]> {
    const { primary, onFailure, onFallback } = this.#parts;
    if (!this.#isOver) {
      try {
        return await this.#ask<Row>(sql, bind);
      } catch (error) {
        onFallback();
        const rows = await primary.query<Row>(sql, bind);
        // If the primary rejects the statement too, the replica is not the cause.
        if (!this.#isOver) onFailure(error);
        this.end(error);
        return rows;
      }
    }
    onFallback();
    return primary.query<Row>(sql, bind);
  }

  /** Ends the lease. Statements that wait for the replica are rejected there and run on the primary. */
  end(reason: unknown): void {
    this.#isOver = true;
    for (const giveUp of this.#waiting) giveUp(reason);
    this.#waiting.clear();
  }

  #ask<Row extends object>(sql: string, bind: readonly unknown[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      this.#parts.replica
        .query<Row>(sql, bind)
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(reject));
    });
  }
}
