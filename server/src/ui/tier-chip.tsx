import type { Tier } from '../scoring/scoring-backend.ts';

/** A tier as a word; the colour only repeats it. */
export function TierChip({ tier }: { tier: Tier }) {
  return <span class={`chip ${tier}`}>{tier}</span>;
}
