import type { Database } from '../../platform/database/connect.ts';
import { retryConflicts } from '../../platform/database/transaction.ts';
import { AdaptiveBatchSize, scoreInTransaction } from '../../scoring/batches/score-subjects.ts';
import { EMBEDDED_SOURCE } from '../../scoring/embedded/current-method.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { inBatchTransaction } from './store-rows.ts';

/**
 * Scores the subjects of stored batches on a second database session while the next batch is stored, so that this
 * process computes while the database writes. The subjects are already queued, so nothing is lost if the process ends
 * early. Does nothing with a remote backend: the end of the import then scores the queue.
 */
export class ConcurrentScorer {
  readonly #database: Database;
  readonly #backend: ScoringBackend;
  readonly #size = new AdaptiveBatchSize();
  #scoring: Promise<void> = Promise.resolve();
  #scored = 0;

  constructor(database: Database, backend: ScoringBackend) {
    this.#database = database;
    this.#backend = backend;
  }

  /** Scores stored so far. */
  get scored(): number {
    return this.#scored;
  }

  /**
   * Waits until the previous subjects are scored, then starts scoring these committed ones. Throws if the previous
   * scoring failed.
   */
  async take(ids: readonly string[]): Promise<void> {
    await this.#scoring;
    if (ids.length === 0 || this.#backend.source !== EMBEDDED_SOURCE) return;
    this.#scoring = this.#score(ids);
    // Prevents an unhandled rejection; the next `take` or `finish` reports the error.
    this.#scoring.catch(() => undefined);
  }

  /** Waits for the scoring in progress; throws if it failed. */
  finish(): Promise<void> {
    return this.#scoring;
  }

  async #score(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; ) {
      const some = ids.slice(start, start + this.#size.rows);
      start += some.length;
      const startedAt = performance.now();
      this.#scored += await retryConflicts(() =>
        inBatchTransaction(this.#database, (connection) =>
          scoreInTransaction(connection, this.#backend, some),
        ),
      );
      if (some.length === this.#size.rows) this.#size.learn(some.length, performance.now() - startedAt);
    }
  }
}
