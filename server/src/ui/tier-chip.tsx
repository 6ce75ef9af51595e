import type { Tier } from '../scoring/scoring-backend.ts';

/** A tier as a word: one figure among others, without a colour of its own. */
export function TierChip({ tier }: { tier: Tier }) {
  return <span class="chip tag">{tier}</span>;
}
