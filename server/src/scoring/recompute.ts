import type { Database } from '../database/connect.ts';
import type { SubjectType } from '../subjects/subject-type.ts';
import { EMBEDDED_SOURCE, METHOD } from './embedded/rs-1.0.0.ts';
import { refreshCreatorEquity } from './facts/creator-equity.ts';
import { ALL_TYPES, STAGES } from './recompute-stages.ts';
import { type ScoringResult, scoreSubjects } from './score-subjects.ts';
import type { ScoringBackend } from './scoring-backend.ts';
import { beginRun, endRun, loadStale } from './stale.repository.ts';

/** Where a person sees how far it is. */
interface RecomputeProgress {
  begin(label: string, subjects: number): void;
  advance(subjects: number): void;
  end(): void;
}

/** What a caller chooses. */
export interface RecomputeOptions {
  /** Only these types; all of them by default. */
  types?: readonly SubjectType[];
  /** Also what is not stale. */
  all?: boolean;
  /** Once given, the batch under way is finished; the same call goes on later. */
  signal?: AbortSignal;
  progress?: RecomputeProgress;
}

/** What a recompute came to; `finished` is false where the signal stopped it. */
export interface RecomputeResult extends ScoringResult {
  finished: boolean;
}

/**
 * Scores again what is stale: maintenance at no one's cost, apart from the metered route. Each batch is stored by itself
 * and is then stale no more, so that an interrupted recompute goes on where it was. Incomplete evidence is counted, and
 * leaves the score that there was. Throws BackendAway where another system gives no usable score any more.
 */
export async function recompute(
  database: Database,
  backend: ScoringBackend,
  options: RecomputeOptions = {},
): Promise<RecomputeResult> {
  const { types = ALL_TYPES, all = false, signal = new AbortController().signal } = options;
  const chosen = ALL_TYPES.filter((type) => types.includes(type));
  const scope = chosen.join(',');
  const before = all ? await beginRun(database, scope) : null;
  const result: RecomputeResult = { scored: 0, incomplete: 0, failed: 0, finished: false };
  const run: Run = { database, backend, before, signal, progress: options.progress ?? QUIET, result };
  for (const stage of STAGES) {
    const stageTypes = stage.types.filter((type) => chosen.includes(type));
    if (stageTypes.length === 0) continue;
    if (stageTypes.includes('creator')) await refreshCreatorEquity(database);
    await recomputeStage(run, stage.label, stageTypes);
    if (signal.aborted) return result;
  }
  if (all) await endRun(database, scope);
  result.finished = true;
  return result;
}

const QUIET: RecomputeProgress = { begin: () => undefined, advance: () => undefined, end: () => undefined };

interface Run {
  database: Database;
  backend: ScoringBackend;
  before: string | null;
  signal: AbortSignal;
  progress: RecomputeProgress;
  result: RecomputeResult;
}

/** Scores make others stale (children, of changed parents), so it looks again until nothing untried is left. */
async function recomputeStage(run: Run, label: string, types: readonly SubjectType[]): Promise<void> {
  const { database, backend, before, signal, progress, result } = run;
  const methodVersion = backend.source === EMBEDDED_SOURCE ? METHOD.version : null;
  const tried = new Set<string>();
  while (!signal.aborted) {
    const stale = await loadStale(database, { types, source: backend.source, methodVersion, before });
    const untried = stale.filter((id) => !tried.has(id));
    if (untried.length === 0) return;
    progress.begin(label, untried.length);
    await scoreSubjects(database, backend, untried, {
      signal,
      onBatch(batch, { scored, incomplete, failed }) {
        for (const id of batch) tried.add(id);
        result.scored += scored;
        result.incomplete += incomplete;
        result.failed += failed.length;
        progress.advance(batch.length);
      },
    });
    progress.end();
  }
}
