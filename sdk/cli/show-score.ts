import type { Field } from './text/layout.ts';
import type { Style } from './text/paint.ts';

/** How a tier is shown; a new word, which isn't in here, is shown plainly. */
export const STYLE_OF_TIER: ReadonlyMap<string, Style> = new Map([
  ['high', 'green'],
  ['medium', 'yellow'],
  ['low', 'red'],
]);

/** Null says that no confirmed score exists; it never means zero. */
export function scoreText(score: number | null): string {
  return score === null ? 'none confirmed' : `${score.toFixed(1)} of 100`;
}

/** Trust, confidence and tier as fields. */
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

/** A timestamp to the minute. */
export function timeText(timestamp: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(timestamp)
    ? `${timestamp.slice(0, 16).replace('T', ' ')} UTC`
    : timestamp;
}
