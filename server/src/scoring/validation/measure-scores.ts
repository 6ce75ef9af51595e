import { isDefaultScore } from '../verdict/verdict.ts';
import { type MeasuredMethod, type ScoredListing, scoreListing } from './score-listing.ts';
import { countValues, describeValues, moveOf } from './statistics.ts';
import type { DistributionRow, StabilityRow } from './validation-report.ts';

/** Number of source lists that are left out one at a time, the largest first. */
const LISTS = 10;

/**
 * Measures, for each of the largest source lists, how scores change without the facts of this list. Scores again the
 * listings of the list that another list names, too. A method that depends on a single list shows large moves. Stores
 * nothing.
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
    .map(([list]) => stabilityRow(method, list, scored));
}

function stabilityRow(method: MeasuredMethod, list: string, scored: readonly ScoredListing[]): StabilityRow {
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

/** Name of the row for listings of every kind. */
const EVERY_KIND = 'all';

/**
 * Describes how scores are distributed: whether they distinguish listings, or whether many listings have the same
 * score, because nothing was observed about them. Compare the rows of two methods, or of one method before and after a
 * change of facts.
 */
export function measureDistribution(scored: readonly ScoredListing[]): DistributionRow[] {
  const kinds = [EVERY_KIND, ...new Set(scored.map(({ listing }) => listing.kind).sort())];
  const starred = scored.filter(({ listing }) => listing.starsKnown);
  return kinds.flatMap((kind) => [
    distributionRow('all', kind, scored),
    distributionRow('stars known', kind, starred),
  ]);
}

function distributionRow(
  listings: DistributionRow['listings'],
  kind: string,
  scored: readonly ScoredListing[],
): DistributionRow {
  const chosen = scored.filter(({ listing }) => kind === EVERY_KIND || listing.kind === kind);
  const pairs = describeValues(chosen.map(({ score }) => `${score.trust} / ${score.confidence}`));
  return {
    listings,
    kind,
    rows: pairs.rows,
    distinctPairs: pairs.distinct,
    commonestPair: pairs.commonest,
    commonestShare: pairs.commonestShare,
    entropyBits: pairs.entropyBits,
    onlyListed: chosen.filter(({ score, verdict }) => isDefaultScore(score.confidence, verdict.reasons))
      .length,
    tiers: countValues(chosen.map(({ score }) => score.tier)),
    verdicts: countValues(chosen.map(({ verdict }) => verdict.state)),
  };
}
