import { isDefaultScore } from '../verdict/verdict.ts';
import type { ScoredListing } from './score-listing.ts';
import { countValues, describeValues } from './statistics.ts';
import type { DistributionRow } from './validation-report.ts';

/** Name of the row for listings of every kind. */
const EVERY_KIND = 'all';

/**
 * Describes how scores are distributed: whether they tell listings apart, or repeat one default. Compare the rows of
 * two methods, or of one method before and after a change of facts.
 */
export function measureDistribution(scored: readonly ScoredListing[]): DistributionRow[] {
  const kinds = [EVERY_KIND, ...new Set(scored.map(({ listing }) => listing.kind).sort())];
  const starred = scored.filter(({ listing }) => listing.starsKnown);
  return kinds.flatMap((kind) => [rowOf('all', kind, scored), rowOf('stars known', kind, starred)]);
}

function rowOf(
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
