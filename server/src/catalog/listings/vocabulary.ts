import type { Database } from '../../platform/database/connect.ts';
import { countListings, recountVocabulary } from './vocabulary.queries.ts';

/** Share of listings that must have been added or removed since the last recount. */
const MIN_CHANGE = 0.02;
const RECOUNT_AFTER_MS = 3_600_000;

/** Creates a job that recounts the vocabulary: after many listings have been added or removed, and every hour. */
export function createRecountJob(database: Database): () => Promise<number> {
  let counted = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const total = await countListings(database);
    const isRecent = performance.now() - countedAt < RECOUNT_AFTER_MS;
    if (isRecent && Math.abs(total - counted) <= counted * MIN_CHANGE) return 0;
    const changed = await recountVocabulary(database);
    [counted, countedAt] = [total, performance.now()];
    return changed;
  };
}
