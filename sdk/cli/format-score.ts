import type { Style } from './text/colors.ts';
import type { Field } from './text/layout.ts';

/** Styles of tiers; unknown tiers have none. */
export const STYLE_OF_TIER: ReadonlyMap<string, Style> = new Map([
  ['high', 'green'],
  ['medium', 'yellow'],
  ['low', 'red'],
]);

/** Formats a score. Null means that there is no confirmed score, which is not the same as a score of zero. */
export function scoreText(score: number | null): string {
  return score === null ? 'none confirmed' : `${score.toFixed(1)} of 100`;
}

/** Formats trust, confidence and tier. */
export function scoreFields(of: {
  readonly trustScore: number | null;
  readonly confidence: number | null;
  readonly tier: string;
}): Field[] {
  const style = of.trustScore === null ? 'dim' : STYLE_OF_TIER.get(of.tier);
  return [
    field('trust', scoreText(of.trustScore), style),
    field('confidence', scoreText(of.confidence), of.confidence === null ? 'dim' : undefined),
    field('tier', of.tier, STYLE_OF_TIER.get(of.tier)),
  ];
}

const field = (label: string, value: string, style: Style | undefined): Field =>
  style ? [label, value, style] : [label, value];

/** Formats a timestamp to the minute. */
export function timeText(timestamp: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(timestamp)
    ? `${timestamp.slice(0, 16).replace('T', ' ')} UTC`
    : timestamp;
}
