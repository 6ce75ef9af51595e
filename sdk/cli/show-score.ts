import type { Field } from './text/layout.ts';
import type { Style } from './text/paint.ts';

const STYLE_OF_TIER: Readonly<Record<string, Style>> = { high: 'green', medium: 'yellow', low: 'red' };

/** How a tier is shown; a word that is new is shown plainly. */
export function styleOfTier(tier: string): Style | undefined {
  return Object.hasOwn(STYLE_OF_TIER, tier) ? STYLE_OF_TIER[tier] : undefined;
}

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
  const style = of.trustScore === null ? 'dim' : styleOfTier(of.tier);
  return [
    field('trust', scoreText(of.trustScore), style),
    field('confidence', scoreText(of.confidence), of.confidence === null ? 'dim' : undefined),
    field('tier', of.tier, styleOfTier(of.tier)),
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
