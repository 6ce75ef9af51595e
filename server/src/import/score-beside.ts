import type { Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { BatchSize } from '../scoring/batch-size.ts';
import { EMBEDDED_SOURCE } from '../scoring/embedded/rs-1.0.0.ts';
import { scoreInTransaction } from '../scoring/score-in-transaction.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { inBatch } from './in-batch.ts';

/**
 * Scores what a batch has stored while the next one is stored, on a session of its own: this process works scores out while
 * the database stores rows. What it has to score is noted as due already, so that nothing is lost where it ends early; a
 * remote backend is asked for those in the end.
 */
export class ScoreBeside {
  readonly #database: Database;
  readonly #backend: ScoringBackend;
  readonly #size = new BatchSize();
  #scoring: Promise<void> = Promise.resolve();
  #scored = 0;

  constructor(database: Database, backend: ScoringBackend) {
    this.#database = database;
    this.#backend = backend;
  }

  /** Scores recorded so far. */
  get scored(): number {
    return this.#scored;
  }

  /** Begins with these subjects, which are committed, once those before are done; throws what failed with those. */
  async take(ids: readonly string[]): Promise<void> {
    await this.#scoring;
    if (ids.length === 0 || this.#backend.source !== EMBEDDED_SOURCE) return;
    this.#scoring = this.#score(ids);
    // Told to the next one who waits, not while nobody listens.
    this.#scoring.catch(() => undefined);
  }

  /** Waits for what is under way. */
  finish(): Promise<void> {
    return this.#scoring;
  }

  async #score(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; ) {
      const some = ids.slice(start, start + this.#size.rows);
      start += some.length;
      const startedAt = performance.now();
      this.#scored += await retryConflicts(() =>
        inBatch(this.#database, (connection) => scoreInTransaction(connection, this.#backend, some)),
      );
      if (some.length === this.#size.rows) this.#size.learn(some.length, performance.now() - startedAt);
    }
  }
}
