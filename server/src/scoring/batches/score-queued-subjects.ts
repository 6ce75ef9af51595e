import type { Database } from '../../platform/database/connect.ts';
import { EMBEDDED_SOURCE } from '../embedded/current-method.ts';
import { countQueueEntries, pageOfQueue, sampleQueue } from '../queue/scoring-queue.queries.ts';
import type { ScoringBackend } from '../scoring-backend.ts';
import type { SubjectType } from '../subject-type.ts';
import { type ScoringOptions, scoreSubjects } from './score-subjects.ts';

/** Receives the progress of the scoring. `begin` is called again if new scores have queued further subjects. */
export interface ScoringProgress {
  begin(subjects: number): void;
  advance(subjects: number, scored: number): void;
  end(): void;
}

/**
 * Scores every queued subject, and the children and creators that are queued as a result, until none remains or the
 * signal aborts. Subjects without a usable score from a remote backend stay queued. Throws BackendUnavailable if the
 * backend keeps failing.
 */
export async function scoreQueuedSubjects(
  database: Database,
  backend: ScoringBackend,
  signal: AbortSignal,
  progress: ScoringProgress,
): Promise<void> {
  const failed = new Set<string>();
  for (let some = true; some && !signal.aborted; ) {
    some = false;
    try {
      for await (const { ids, types } of duePages(database, failed)) {
        if (!some) progress.begin(Math.max(ids.length, (await countQueueEntries(database)) - failed.size));
        some = true;
        const options: ScoringOptions = {
          signal,
          dueOnly: true,
          onBatch(batch, result) {
            for (const id of result.failed) failed.add(id);
            progress.advance(batch.length, result.scored);
          },
        };
        await inParallel(splitForWorkers(ids, types, backend), (part) =>
          scoreSubjects(database, backend, part, options),
        );
        if (signal.aborted) break;
      }
    } finally {
      if (some) progress.end();
    }
  }
}

const LISTED: readonly SubjectType[] = ['agent', 'skill'];
/**
 * Order of scoring and page sizes (null: all in one page). Listings come first, in a single page, because parents must
 * be scored before their children. Creators follow, because their scores depend on those of their listings.
 */
const SCORING_ORDER: readonly { types: readonly SubjectType[]; page: number | null }[] = [
  { types: LISTED, page: null },
  { types: ['creator'], page: 5000 },
  { types: ['social_account', 'messaging_account'], page: 5000 },
];
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Queued subjects of some types. */
interface DuePage {
  readonly ids: readonly string[];
  readonly types: readonly SubjectType[];
}

/**
 * Splits a page in two parts, so that the database stores scores of one part while this process computes those of the
 * other. Listings are not split, because parents must be scored before their children. With a remote backend, no page is
 * split, because a batch already sends concurrent requests.
 */
function splitForWorkers(
  ids: readonly string[],
  types: readonly SubjectType[],
  { source }: ScoringBackend,
): (readonly string[])[] {
  if (types === LISTED || source !== EMBEDDED_SOURCE || ids.length < 2) return [ids];
  const half = Math.ceil(ids.length / 2);
  return [ids.slice(0, half), ids.slice(half)];
}

/** Waits for every worker even if one rejects, so that no worker continues after the return. */
async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const ended = await Promise.allSettled(items.map(work));
  const failure = ended.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}

/** Yields queued subjects in scoring order, one page in memory at a time. */
async function* duePages(database: Database, failed: ReadonlySet<string>): AsyncGenerator<DuePage> {
  for (const { types, page } of SCORING_ORDER) {
    for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
      const ids: string[] = await pageOfQueue(database, types, after, page);
      const untried = ids.filter((id) => !failed.has(id));
      if (untried.length > 0) yield { ids: untried, types };
      after = page === null ? undefined : ids.at(-1);
    }
  }
}

/** Counts the subjects in the queue. */
export function countQueuedSubjects(database: Database): Promise<number> {
  return countQueueEntries(database);
}

/** Maximum subjects per run of the background job. */
const SAMPLE_SIZE = 500;
/**
 * Minimum age of a queue entry for the background job. A running import queues its rows and scores them itself after it
 * has stored all of them, so the job must not score them first.
 */
const MIN_AGE_SECONDS = 15;

/** Scores a random sample of queued subjects as one run of the background job. Returns how many got a score. */
export async function scoreQueueSample(
  database: Database,
  backend: ScoringBackend,
  signal: AbortSignal,
): Promise<number> {
  const due = await sampleQueue(database, SAMPLE_SIZE, MIN_AGE_SECONDS);
  const { scored } = await scoreSubjects(database, backend, due, { signal, dueOnly: true });
  return scored;
}
