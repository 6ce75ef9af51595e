import { REASONS } from '../verdict/reasons.ts';
import { JUDGEMENTS, type Judgement, type Label, type LabelMatcher } from './labels.ts';
import { type MeasuredMethod, maskOfLeaks, type ScoredListing, scoreListing } from './score-listing.ts';
import {
  areaUnderCurve,
  bootstrapByCluster,
  calibrationBins,
  calibrationError,
  countClusters,
  countValues,
  type Interval,
  intervalOfShare,
  type LabelledScore,
} from './statistics.ts';
import type { ClassFigures, ClassSide, CoverageRow, LabelFigures, WarnedShare } from './validation-report.ts';

/**
 * Minimum number of clusters, each with at least one listing, on each side of a comparison. A figure from fewer
 * clusters is noise.
 */
export const FEWEST_CLUSTERS = 30;

/** A label with a listing that it is about. */
interface LabelledListing {
  readonly label: Label;
  readonly cluster: string;
  readonly scored: ScoredListing;
}

/**
 * Measures a method on labels: coverage, warnings on bad and on good listings, and how well trust separates the two.
 */
export function measureLabels(
  method: MeasuredMethod,
  labels: readonly Label[],
  match: LabelMatcher,
  scored: readonly ScoredListing[],
): LabelFigures {
  const scores = new Map(scored.map((each) => [each.listing.id, each]));
  const judged = (judgement: Judgement) =>
    listingsOf(
      labels.filter((label) => label.judgement === judgement),
      match,
      scores,
    );
  const good = judged('good');
  const bad = judged('bad');
  return {
    coverage: coverageOf(labels, match, scores),
    recall: warnedShare(bad),
    falseWarnings: warnedShare(good),
    classes: classesOf(method, good, bad),
  };
}

/** Returns each scored listing of the labels once, with its first label. */
function listingsOf(
  labels: readonly Label[],
  match: LabelMatcher,
  scores: ReadonlyMap<string, ScoredListing>,
): LabelledListing[] {
  const found = new Map<string, LabelledListing>();
  for (const label of labels) {
    for (const { id } of match(label)) {
      const scored = scores.get(id);
      if (scored && !found.has(id)) found.set(id, { label, cluster: label.cluster, scored });
    }
  }
  return [...found.values()];
}

function coverageOf(
  labels: readonly Label[],
  match: LabelMatcher,
  scores: ReadonlyMap<string, ScoredListing>,
): CoverageRow[] {
  return JUDGEMENTS.flatMap((judgement) => {
    const judged = labels.filter((label) => label.judgement === judgement);
    return [...new Set(judged.map(({ form }) => form))].sort().map((form) => {
      const rows = judged.filter((label) => label.form === form);
      const listed = rows.map(match).filter((listings) => listings.length > 0);
      return {
        judgement,
        form,
        labels: rows.length,
        clusters: countClusters(rows),
        listed: listed.length,
        scored: listed.filter((listings) => listings.some(({ id }) => scores.has(id))).length,
      };
    });
  });
}

function warnedShare(rows: readonly LabelledListing[]): WarnedShare {
  const isWarned = ({ scored }: LabelledListing) => scored.verdict.state === 'warning';
  const warned = rows.filter(isWarned);
  const warnings = warned.flatMap(({ scored }) =>
    scored.verdict.reasons.filter((code) => REASONS[code].kind === 'warning'),
  );
  return {
    warned: warned.length,
    scored: rows.length,
    clusters: countClusters(rows),
    interval: countClusters(rows) < FEWEST_CLUSTERS ? null : intervalOfShare(rows, isWarned),
    scopes: countValues(rows.flatMap(({ label }) => label.scope ?? [])),
    reasons: countValues(warnings),
  };
}

/** Returns the figures of all labelled listings together, and of each kind of listing among them. */
function classesOf(
  method: MeasuredMethod,
  good: readonly LabelledListing[],
  bad: readonly LabelledListing[],
): ClassFigures[] {
  const kinds = new Set([...good, ...bad].map(({ scored }) => scored.listing.kind).sort());
  const ofKind = (kind: string) => (row: LabelledListing) => row.scored.listing.kind === kind;
  return [
    classFigures(method, 'all', good, bad),
    ...[...kinds].map((kind) =>
      classFigures(method, kind, good.filter(ofKind(kind)), bad.filter(ofKind(kind))),
    ),
  ];
}

function classFigures(
  method: MeasuredMethod,
  name: string,
  good: readonly LabelledListing[],
  bad: readonly LabelledListing[],
): ClassFigures {
  const sides = { good: sideOf(good), bad: sideOf(bad) };
  const mask = maskOfLeaks([...good, ...bad].flatMap(({ label }) => label.leaks));
  const notMeasurable = reasonNotToMeasure(sides.good, sides.bad, mask.unknown);
  if (notMeasurable !== null)
    return { name, ...sides, notMeasurable, areaUnderCurve: null, calibration: null };
  const maskedRows = (side: readonly LabelledListing[], isGood: boolean): LabelledScore[] =>
    side.flatMap(({ scored, cluster }) => {
      const masked = scoreListing(method, scored, mask.sources);
      return masked === null ? [] : { score: masked.score.trust, isGood, cluster };
    });
  const rows = [...maskedRows(good, true), ...maskedRows(bad, false)];
  return { name, ...sides, notMeasurable, ...figuresOf(rows) };
}

/**
 * Computes the area under the curve and the calibration error, each with its interval. The caller must have computed
 * the scores in `rows` without the facts that reveal the label.
 */
export function figuresOf(
  rows: readonly LabelledScore[],
): Pick<ClassFigures, 'areaUnderCurve' | 'calibration'> {
  const areaOf = (sample: readonly LabelledScore[]) =>
    areaUnderCurve(scoresOf(sample, true), scoresOf(sample, false));
  const errorOf = (sample: readonly LabelledScore[]) => calibrationError(calibrationBins(sample));
  const value = areaOf(rows);
  const error = errorOf(rows);
  const intervalOf = (statistic: (sample: readonly LabelledScore[]) => number | null): Interval | null =>
    bootstrapByCluster(rows, statistic);
  return {
    areaUnderCurve: value === null ? null : { value, interval: intervalOf(areaOf) },
    calibration:
      error === null ? null : { error, interval: intervalOf(errorOf), bins: calibrationBins(rows) },
  };
}

function scoresOf(rows: readonly LabelledScore[], isGood: boolean): number[] {
  return rows.filter((row) => row.isGood === isGood).map(({ score }) => score);
}

function sideOf(rows: readonly LabelledListing[]): ClassSide {
  return { listings: rows.length, clusters: countClusters(rows) };
}

function reasonNotToMeasure(good: ClassSide, bad: ClassSide, unknownLeaks: readonly string[]): string | null {
  if (Math.min(good.clusters, bad.clusters) < FEWEST_CLUSTERS) {
    const counts = `n = ${countOf(good)} good and ${countOf(bad)} bad`;
    return `${counts}; each side needs ${FEWEST_CLUSTERS} in different clusters`;
  }
  if (unknownLeaks.length === 0) return null;
  const counts = `n = ${good.listings} good and ${bad.listings} bad`;
  return `${counts}, with leaks that cannot be masked: ${unknownLeaks.join('; ')}`;
}

function countOf({ listings, clusters }: ClassSide): string {
  return listings === clusters ? `${listings}` : `${listings} (${clusters} clusters)`;
}
