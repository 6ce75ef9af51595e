import { formatDay, formatScore } from '../../platform/text/display-formats.ts';
import type { Method } from '../embedded/current-method.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import type { BackendScore } from '../scoring-backend.ts';
import {
  EXPLAINED_WITHIN,
  type ExplainableScore,
  type ExplainedSignal,
  explainScore,
  methodOf,
} from './explain-score.ts';

/** A stored version of a subject's score. */
export interface ScoreVersion extends ExplainableScore {
  /** Time of the score, ISO 8601 with microseconds. */
  version: string;
  /** Hash of the facts; null if the backend states none. */
  inputsHash: string | null;
}

/** Parts of a change, by cause. Their sum is the change. */
interface ChangeParts {
  /** Part of the change that changed facts cause. */
  world: number;
  /** Part that a new method causes: score of the older facts by the newer method, minus the older score. */
  method: number;
  /** Part that time causes: score of the older facts at the later time, minus their score at the older time. */
  time: number;
}

/** A figure in the older and the newer score, with its change split by cause; `parts` is null if that is impossible. */
export interface Change {
  before: number;
  after: number;
  total: number;
  parts: ChangeParts | null;
}

/** Change of one signal's points. `was` or `is` is null if the older or the newer score lacks the signal. */
export interface SignalChange extends Change {
  signal: string;
  label: string | null;
  was: ExplainedSignal | null;
  is: ExplainedSignal | null;
}

/** Reason why a change cannot be split by its causes. */
type SplitObstacle = 'other_method' | 'facts_not_stored' | 'not_reproduced';

/** Difference of two scores. If `prior` is known, the changes of signals, prior and caps add up to that of trust. */
export interface ScoreDifference {
  trust: Change;
  confidence: Change;
  /** Changes of all signals, largest first. */
  signals: readonly SignalChange[];
  /** Change of the prior's points; null if the prior of one of the scores is unknown. */
  prior: Change | null;
  /** Points that caps take from trust, at most 0. */
  caps: Change;
  /** Reason why the changes are not split by cause; null if they are. */
  obstacle: SplitObstacle | null;
}

/**
 * Compares two versions of a subject's score, signal by signal. Splits each change by cause: the older facts are scored
 * again by the newer method, then also at the later time. The rest of the change is the effect of changed facts; it is 0
 * if the facts did not change.
 */
export function compareScores(before: ScoreVersion, after: ScoreVersion): ScoreDifference {
  const steps = recompute(before, after);
  const isSplit = typeof steps !== 'string';
  const figures = [figuresOf(before), ...(isSplit ? steps : []), figuresOf(after)];
  const change = (read: (of: Figures) => number): Change => toChange(figures.map(read), isSplit);
  const [was, is] = [explainScore(before), explainScore(after)];
  const names = new Set([...is.signals, ...was.signals].map(({ signal }) => signal));
  const signals = [...names].map((name) => ({
    ...change(({ points }) => points.get(name) ?? 0),
    signal: name,
    label: (is.signals.find(isNamed(name)) ?? was.signals.find(isNamed(name)))?.label ?? null,
    was: was.signals.find(isNamed(name)) ?? null,
    is: is.signals.find(isNamed(name)) ?? null,
  }));
  return {
    trust: change(({ trust }) => trust),
    confidence: change(({ confidence }) => confidence),
    signals: signals.sort((a, b) => weightOf(b) - weightOf(a)),
    prior: was.prior === null || is.prior === null ? null : change(({ prior }) => prior),
    caps: change(({ trust, raw }) => trust - raw),
    obstacle: isSplit ? null : steps,
  };
}

const isNamed =
  (name: string) =>
  ({ signal }: { signal: string }) =>
    signal === name;

/** Returns the size by which changes are ranked: the largest of the change and its parts, which may cancel out. */
function weightOf({ total, parts }: Change): number {
  const each = parts === null ? [] : [parts.world, parts.method, parts.time];
  return Math.max(...[total, ...each].map(Math.abs));
}

/** Figures of a stored or recomputed score. */
interface Figures {
  trust: number;
  confidence: number;
  raw: number;
  prior: number;
  points: ReadonlyMap<string, number>;
}

function figuresOf(score: ExplainableScore): Figures {
  const { signals, prior, raw, unexplained } = explainScore(score);
  const points = new Map(signals.map((each) => [each.signal, each.points]));
  const { trust, confidence } = score;
  // Adds the unexplained rest, usually a rounding error, to the prior, so that the changes of all parts add up exactly.
  return { trust, confidence, raw, prior: prior === null ? 0 : prior + unexplained, points };
}

/**
 * Scores the older facts by the newer method, first at the older time, then at the later time. Returns an obstacle if
 * this is impossible. If the method is the same, the first result is the older score itself. If the facts are the same,
 * the second result is the newer score. Rounding errors are therefore not attributed to a method or to facts that are
 * the same.
 */
function recompute(before: ScoreVersion, after: ScoreVersion): [Figures, Figures] | SplitObstacle {
  const [oldMethod, newMethod] = [methodOf(before.methodVersion), methodOf(after.methodVersion)];
  if (oldMethod === null || newMethod === null) return 'other_method';
  if (before.facts === null || before.factsAt === null || after.facts === null) return 'facts_not_stored';
  if (!isReproduced(before, oldMethod) || !isReproduced(after, newMethod)) return 'not_reproduced';
  const scored = (at: string) => figuresOf(toExplainable(before, scoreAt(before, newMethod, at)));
  const isSameMethod = oldMethod.version === newMethod.version;
  const hasSameFacts = before.inputsHash !== null && before.inputsHash === after.inputsHash;
  return [
    isSameMethod ? figuresOf(before) : scored(before.version),
    hasSameFacts ? figuresOf(after) : scored(after.version),
  ];
}

/** Returns true if the method gives the stored figures from the stored facts. */
function isReproduced(stored: ScoreVersion, method: Method): boolean {
  if (stored.factsAt === null) return false;
  const { trust, confidence } = scoreAt(stored, method, stored.factsAt);
  return (
    Math.abs(trust - stored.trust) < EXPLAINED_WITHIN &&
    Math.abs(confidence - stored.confidence) < EXPLAINED_WITHIN
  );
}

function scoreAt({ type, facts }: ScoreVersion, method: Method, at: string): BackendScore {
  if (facts === null) throw new Error('a score without stored facts cannot be computed again');
  const subject = { id: '', type, name: '', repository: null };
  return scoreByMethod({ operation: 'explain', runId: null, subject, facts, now: new Date(at) }, method);
}

function toExplainable(
  { type, source, facts, factsAt }: ScoreVersion,
  score: BackendScore,
): ExplainableScore {
  const { trust, confidence, methodVersion, coverage, contributions, caps } = score;
  return { type, source, facts, factsAt, trust, confidence, methodVersion, coverage, contributions, caps };
}

/**
 * Builds a change from its figure in four scores: the older score, its facts scored by the newer method, the same at
 * the later time, and the newer score. If the change is not split, there are only the older and the newer score.
 */
function toChange(figures: readonly number[], isSplit: boolean): Change {
  const [before = 0] = figures;
  const after = figures.at(-1) ?? 0;
  const change = { before, after, total: after - before };
  if (!isSplit) return { ...change, parts: null };
  const [, byMethod = 0, byTime = 0] = figures;
  return { ...change, parts: { method: byMethod - before, time: byTime - byMethod, world: after - byTime } };
}

const OBSTACLES: Readonly<Record<NonNullable<ScoreDifference['obstacle']>, string>> = {
  other_method:
    'At least one of these scores was made by a method that this directory cannot repeat, so the causes cannot be told apart.',
  facts_not_stored: 'The facts of one of these scores are not stored, so the causes cannot be told apart.',
  not_reproduced:
    'One of these scores cannot be computed again from its stored facts, so the causes cannot be told apart.',
};

/** Formats a change with its sign: `+3.0`, `−0.2` or `0.0`. */
export function formatChange(points: number): string {
  const text = formatScore(Math.abs(points));
  if (Number(text) === 0) return text;
  return points > 0 ? `+${text}` : `−${text}`;
}

/** Returns true if a change is not 0 when it is rounded to one decimal. */
export function isVisible(points: number): boolean {
  return Number(formatScore(points)) !== 0;
}

/**
 * Says in words how a score differs from an earlier one, and why: "Trust rose by 4.2 to 48.3 since 28 Oct 2026: +4.4
 * because facts changed, −0.2 because time passed."
 */
export function describeDifference(
  difference: ScoreDifference,
  { from, to }: Readonly<Record<'from' | 'to', Pick<ScoreVersion, 'version' | 'methodVersion'>>>,
): string {
  const { trust, confidence, obstacle } = difference;
  const causes = causesOf(trust, from.methodVersion, to.methodVersion);
  const day = formatDay(from.version);
  const why = causes.length === 0 ? '' : `: ${causes.join(', ')}`;
  const first = isVisible(trust.total)
    ? `Trust ${moved(trust)} since ${day}${why}.`
    : `Trust is ${formatScore(trust.after)}, as on ${day}${why}.`;
  const second = isVisible(confidence.total)
    ? `Confidence ${moved(confidence)}.`
    : `Confidence is ${formatScore(confidence.after)}, as then.`;
  const isChanged = isVisible(trust.total) || isVisible(confidence.total);
  return [first, second, ...(obstacle !== null && isChanged ? [OBSTACLES[obstacle]] : [])].join(' ');
}

/** Returns why the change cannot be split by cause; null if it can. */
export function describeObstacle({ obstacle }: ScoreDifference): string | null {
  return obstacle === null ? null : OBSTACLES[obstacle];
}

function moved({ total, after }: Change): string {
  return `${total > 0 ? 'rose' : 'fell'} by ${formatScore(Math.abs(total))} to ${formatScore(after)}`;
}

function causesOf({ parts }: Change, older: string | null, newer: string | null): string[] {
  if (parts === null) return [];
  const changedMethod = older === newer ? 'of the method' : `of the new method ${newer}`;
  const causes = [
    [parts.world, 'because facts changed'],
    [parts.method, `because ${changedMethod}`],
    [parts.time, 'because time passed'],
  ] as const;
  return causes
    .filter(([points]) => isVisible(points))
    .map(([points, cause]) => `${formatChange(points)} ${cause}`);
}
