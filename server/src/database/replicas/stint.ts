import type { Connection } from '../connect.ts';

/** Whose statements these are. */
export interface StintParts {
  readonly replica: Pick<Connection, 'query'>;
  readonly primary: Connection;
  /** The replica's error for a statement that the primary has answered. Told once of each stint. */
  onFailure(error: unknown): void;
  /** A statement goes to the primary in place of the replica. */
  onRetreat(): void;
}

/**
 * What a replica reads while nothing fails there. Once something has, every statement of those who began with it goes to the
 * primary, the failed ones again: nobody's next statement finds an older state than the last one did.
 */
export class Stint implements Connection {
  readonly transaction = null;
  readonly #parts: StintParts;
  /** Statements that wait for the replica. */
  readonly #waiting = new Set<(error: unknown) => void>();
  #isOver = false;

  constructor(parts: StintParts) {
    this.#parts = parts;
  }

  /** No public answer is read through a model. */
  get models(): Connection['models'] {
    return this.#parts.primary.models;
  }

  async query<Row extends object>(sql: string, bind: readonly unknown[] = []): Promise<Row[]> {
    const { primary, onFailure, onRetreat } = this.#parts;
    if (!this.#isOver) {
      try {
        return await this.#ask<Row>(sql, bind);
      } catch (error) {
        onRetreat();
        const rows = await primary.query<Row>(sql, bind);
        // Where the primary refuses it too, the replica is not to blame.
        if (!this.#isOver) onFailure(error);
        this.end(error);
        return rows;
      }
    }
    onRetreat();
    return primary.query<Row>(sql, bind);
  }

  /** Nobody waits for the replica any longer. */
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
