import type { Database } from '../../platform/database/connect.ts';
import { EMBEDDED_SOURCE, METHOD } from '../embedded/current-method.ts';
import { refreshCreatorEquity } from '../facts/creator-equity.queries.ts';
import { beginRecompute, endRecompute, loadStale } from '../queue/scoring-queue.queries.ts';
import type { ScoringBackend } from '../scoring-backend.ts';
import { SUBJECT_TYPES, type SubjectType } from '../subject-type.ts';
import { type ScoringResult, scoreSubjects } from './score-subjects.ts';

/**
 * Order of scoring. Creators come after agents and skills, because a creator's score depends on the scores of the
 * creator's listings.
 */
const STAGES: readonly { label: string; types: readonly SubjectType[] }[] = [
  { label: 'agents and skills', types: ['agent', 'skill'] },
  { label: 'creators', types: ['creator'] },
  { label: 'social and messaging accounts', types: ['social_account', 'messaging_account'] },
];

/** Progress output of a recompute. */
interface RecomputeProgress {
  begin(label: string, subjects: number): void;
  advance(subjects: number): void;
  end(): void;
}

/** Options of a recompute. */
export interface RecomputeOptions {
  /** Restricts the recompute to these types; all by default. */
  types?: readonly SubjectType[];
  /** Includes scores that are not stale. */
  all?: boolean;
  /** Signal that stops the recompute after the current batch. A later call with the same options continues it. */
  signal?: AbortSignal;
  progress?: RecomputeProgress;
}

/** Totals of a recompute; `finished` is false if it was aborted. */
export interface RecomputeResult extends ScoringResult {
  finished: boolean;
}

/**
 * Recomputes stale scores as maintenance: no account is charged, and no metered call is made. Each batch is stored
 * separately, and its scores are not stale afterwards, so an interrupted recompute can be continued. Subjects with
 * too little evidence are counted and keep their score. Throws BackendUnavailable if a remote backend keeps failing.
 */
export async function recompute(
  database: Database,
  backend: ScoringBackend,
  options: RecomputeOptions = {},
): Promise<RecomputeResult> {
  const { types = SUBJECT_TYPES, all = false, signal = new AbortController().signal } = options;
  const chosen = SUBJECT_TYPES.filter((type) => types.includes(type));
  const scope = chosen.join(',');
  const before = all ? await beginRecompute(database, scope) : null;
  const result: RecomputeResult = { scored: 0, incomplete: 0, failed: 0, finished: false };
  const run: Run = { database, backend, before, signal, progress: options.progress ?? NO_PROGRESS, result };
  for (const stage of STAGES) {
    const stageTypes = stage.types.filter((type) => chosen.includes(type));
    if (stageTypes.length === 0) continue;
    if (stageTypes.includes('creator')) await refreshCreatorEquity(database);
    await recomputeStage(run, stage.label, stageTypes);
    if (signal.aborted) return result;
  }
  if (all) await endRecompute(database, scope);
  result.finished = true;
  return result;
}

const NO_PROGRESS: RecomputeProgress = {
  begin: () => undefined,
  advance: () => undefined,
  end: () => undefined,
};

interface Run {
  database: Database;
  backend: ScoringBackend;
  before: string | null;
  signal: AbortSignal;
  progress: RecomputeProgress;
  result: RecomputeResult;
}

/**
 * Scores the stale subjects of one stage. Repeats until every stale subject was tried, because a new score of a parent
 * makes the scores of its children stale.
 */
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
