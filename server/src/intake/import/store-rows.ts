import { saveCreators } from '../../catalog/creators/save-creators.ts';
import { saveScorecards } from '../../catalog/facts/save-scorecards.ts';
import { saveArtifacts } from '../../catalog/listing-changes/save-artifacts.ts';
import { saveListings } from '../../catalog/listing-changes/save-listings.ts';
import { mergeRenamed } from '../../catalog/listing-changes/save-renames.ts';
import type { Renames } from '../../catalog/listings/listing-names.ts';
import type { RowOutcome, SavedBatch } from '../../catalog/listings/listing-row.ts';
import { savePackageReadings } from '../../catalog/packages/save-package-readings.ts';
import { saveRegistryEntries } from '../../catalog/packages/save-registry-entries.ts';
import { saveAccounts } from '../../catalog/platform-accounts/save-accounts.ts';
import { saveRelations } from '../../catalog/relations/save-relations.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { withIndexPlans } from '../../platform/database/send-statement.ts';
import { inTransaction, retryConflicts } from '../../platform/database/transaction.ts';
import { AdaptiveBatchSize, scoreInTransaction } from '../../scoring/batches/score-subjects.ts';
import { EMBEDDED_SOURCE } from '../../scoring/embedded/current-method.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { saveWellKnown } from './save-well-known.ts';
import type { ParsedRow, RowKind } from './validate-row.ts';

/** Result of storing rows. */
export interface StoredRows {
  outcomes: readonly RowOutcome[];
  /** Ids of stored subjects, all of which need a score. */
  saved: readonly string[];
}

/**
 * Stores rows of one kind in the caller's transaction. Queues the stored subjects for scoring, and other subjects whose
 * facts changed through these rows. `readAt` is the time at which the files were read from their sources, for facts
 * that state no time.
 */
export async function storeRows(
  connection: Connection,
  rows: readonly ParsedRow[],
  renames: Renames,
  readAt: Date | null = null,
): Promise<StoredRows> {
  const batch = await saveKind(connection, rows, renames, readAt);
  const merged = await mergeRenamed(connection, batch.statedRenames ?? []);
  const remaining = (ids: readonly string[]) => ids.filter((id) => !merged.gone.includes(id));
  const saved = remaining(batch.saved);
  await enqueueScoring(
    connection,
    [...saved, ...remaining(batch.due), ...merged.due],
    [...remaining(batch.dueByLineage), ...merged.dueByLineage],
  );
  await batch.storeAliases?.();
  return { outcomes: batch.outcomes, saved };
}

function saveKind(
  connection: Connection,
  rows: readonly ParsedRow[],
  renames: Renames,
  readAt: Date | null,
): Promise<SavedBatch> {
  switch (rows[0]?.kind) {
    case 'listing':
      return saveListings(connection, rowsOf(rows, 'listing'), renames);
    case 'creator':
      return saveCreators(connection, rowsOf(rows, 'creator'));
    case 'account':
      return saveAccounts(connection, rowsOf(rows, 'account'));
    case 'artifact':
      return saveArtifacts(connection, rowsOf(rows, 'artifact'), renames);
    case 'relation':
      return saveRelations(connection, rowsOf(rows, 'relation'), renames);
    case 'server':
      return saveRegistryEntries(connection, rowsOf(rows, 'server'));
    case 'packument':
      return savePackageReadings(connection, rowsOf(rows, 'packument'), { isImport: true, readAt });
    case 'project':
      return savePackageReadings(connection, rowsOf(rows, 'project'), { isImport: true, readAt });
    case 'scorecard':
      return saveScorecards(connection, rowsOf(rows, 'scorecard'), readAt);
    case 'agent_card':
      return saveWellKnown(connection, rowsOf(rows, 'agent_card'), readAt);
    case 'skills_index':
      return saveWellKnown(connection, rowsOf(rows, 'skills_index'), readAt);
    case undefined:
      throw new Error('an empty batch has no kind');
  }
}

/** Returns the rows of a batch, which are all of one kind. */
function rowsOf<Kind extends RowKind>(rows: readonly ParsedRow[], kind: Kind) {
  return rows
    .filter((parsed): parsed is Extract<ParsedRow, { kind: Kind }> => parsed.kind === kind)
    .map(rowOf<Kind>);
}

function rowOf<Kind extends RowKind>(parsed: Extract<ParsedRow, { kind: Kind }>) {
  return parsed.row as Extract<ParsedRow, { kind: Kind }>['row'];
}

/**
 * Runs one batch of an import in a transaction with asynchronous commit. A crash can lose only the last batches,
 * together with their saved positions, so the import resumes before them. The last write of an import commits
 * synchronously. PostgreSQL logs commits in order, so all batches are then durable.
 */
export function inBatchTransaction<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (session) => {
    await session.query('SET LOCAL synchronous_commit = off');
    return work(await withIndexPlans(session));
  });
}

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

  /** Number of scores stored so far. */
  get scored(): number {
    return this.#scored;
  }

  /**
   * Waits until the previous subjects are scored, then starts scoring the given subjects, which are already committed.
   * Throws if the previous scoring failed.
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
