import { formatDay, formatScore } from '../../platform/text/display-formats.ts';
import type { Change, ScoreDifference, ScoreVersion } from './compare-scores.ts';

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

/** Returns true if a change shows with one decimal. */
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

/** Returns why the causes cannot be told apart; null if they can. */
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
