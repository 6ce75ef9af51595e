import type { Database } from '../database/connect.ts';
import type { SubjectType } from '../subjects/subject-type.ts';
import { EMBEDDED_SOURCE } from './embedded/rs-1.0.0.ts';
import { countDue, pageOfDue, someDue } from './score-due.repository.ts';
import { type ScoringOptions, scoreSubjects } from './score-subjects.ts';
import type { ScoringBackend } from './scoring-backend.ts';

/** Told how far the scoring is; `begin` comes again where scores have made others due. */
export interface ScoringProgress {
  begin(subjects: number): void;
  advance(subjects: number, scored: number): void;
  end(): void;
}

/**
 * Scores every subject whose facts changed since its last score, until none is left or the signal is given; children
 * and creators of what is scored follow. Subjects to which another system gives no usable score stay due; throws
 * BackendAway where it gives none at all.
 */
export async function scoreDueSubjects(
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
        if (!some) progress.begin(Math.max(ids.length, (await countDue(database)) - failed.size));
        some = true;
        const options: ScoringOptions = {
          signal,
          dueOnly: true,
          onBatch(batch, result) {
            for (const id of result.failed) failed.add(id);
            progress.advance(batch.length, result.scored);
          },
        };
        await inLanes(lanesOf(ids, types, backend), (lane) =>
          scoreSubjects(database, backend, lane, options),
        );
        if (signal.aborted) break;
      }
    } finally {
      if (some) progress.end();
    }
  }
}

const LISTED: readonly SubjectType[] = ['agent', 'skill'];
/** Listings first, all at once, for parents go before their children; then creators, whose listings have their scores. */
const TURNS: readonly { types: readonly SubjectType[]; page: number | null }[] = [
  { types: LISTED, page: null },
  { types: ['creator'], page: 5000 },
  { types: ['social_account', 'messaging_account'], page: 5000 },
];
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Subjects of some types that wait for a score. */
interface DuePage {
  readonly ids: readonly string[];
  readonly types: readonly SubjectType[];
}

/**
 * The database records scores of one lane while this process works out those of the other. Listings keep one: a parent goes
 * before its children. Another system is asked about many at once already.
 */
function lanesOf(
  ids: readonly string[],
  types: readonly SubjectType[],
  { source }: ScoringBackend,
): (readonly string[])[] {
  if (types === LISTED || source !== EMBEDDED_SOURCE || ids.length < 2) return [ids];
  const half = Math.ceil(ids.length / 2);
  return [ids.slice(0, half), ids.slice(half)];
}

/** Waits for all lanes, also where one fails: none goes on behind the caller's back. */
async function inLanes<Lane>(lanes: readonly Lane[], work: (lane: Lane) => Promise<unknown>): Promise<void> {
  const ended = await Promise.allSettled(lanes.map(work));
  const failure = ended.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}

/** Those that wait, in their order: as many are in memory as are scored next. */
async function* duePages(database: Database, failed: ReadonlySet<string>): AsyncGenerator<DuePage> {
  for (const { types, page } of TURNS) {
    for (let after: string | undefined = BEFORE_ALL; after !== undefined; ) {
      const ids: string[] = await pageOfDue(database, types, after, page);
      const untried = ids.filter((id) => !failed.has(id));
      if (untried.length > 0) yield { ids: untried, types };
      after = page === null ? undefined : ids.at(-1);
    }
  }
}

/** How many subjects wait for their score. */
export function countWaiting(database: Database): Promise<number> {
  return countDue(database);
}

/** A round in the background takes so many. */
const SOME = 500;
/** Younger notes are left alone: an import that is under way scores them itself, once all of its rows are there. */
const SETTLED_AFTER_SECONDS = 15;

/** Scores some of the subjects that wait for it, as a round of background work; answers how many. */
export async function scoreSomeDue(
  database: Database,
  backend: ScoringBackend,
  signal: AbortSignal,
): Promise<number> {
  const due = await someDue(database, SOME, SETTLED_AFTER_SECONDS);
  const { scored } = await scoreSubjects(database, backend, due, { signal, dueOnly: true });
  return scored;
}
