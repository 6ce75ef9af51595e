import type { MeasuredMethod } from './measured-methods.ts';
import { type ScoredListing, scoreListing } from './score-listing.ts';
import { countValues, moveOf } from './statistics.ts';
import type { StabilityRow } from './validation-report.ts';

/** Number of source lists that are left out one at a time, the largest first. */
const LISTS = 10;

/**
 * Scores the listings of each of the largest source lists again without the facts of this list. A method that depends
 * on a single list shows large moves. Stores nothing.
 */
export function measureStability(
  method: MeasuredMethod,
  scored: readonly ScoredListing[],
  lists = LISTS,
): StabilityRow[] {
  const sizes = Object.entries(countValues(scored.flatMap(({ listing }) => listing.lists)));
  return sizes
    .sort(([name, size], [otherName, otherSize]) => otherSize - size || (name < otherName ? -1 : 1))
    .slice(0, lists)
    .map(([list]) => rowOf(method, list, scored));
}

function rowOf(method: MeasuredMethod, list: string, scored: readonly ScoredListing[]): StabilityRow {
  const named = scored.filter(({ listing }) => listing.lists.includes(list));
  const elsewhere = named.filter(({ listing }) => listing.lists.length > 1);
  const leftOut = new Set([list]);
  const pairs = elsewhere.flatMap((before) => {
    const after = scoreListing(method, before, leftOut);
    return after === null ? [] : [{ before, after }];
  });
  const changed = pairs.filter(
    ({ before, after }) =>
      before.score.trust !== after.score.trust || before.score.confidence !== after.score.confidence,
  );
  return {
    list,
    listings: named.length,
    onlyThere: named.length - elsewhere.length,
    changed: changed.length,
    changedVerdicts: pairs.filter(({ before, after }) => before.verdict.state !== after.verdict.state).length,
    trust: moveOf(pairs.map(({ before, after }) => [before.score.trust, after.score.trust])),
    confidence: moveOf(pairs.map(({ before, after }) => [before.score.confidence, after.score.confidence])),
  };
}
