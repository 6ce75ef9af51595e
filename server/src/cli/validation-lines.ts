import type { Interval } from '../scoring/validation/bootstrap.ts';
import type {
  ClassFigures,
  DistributionRow,
  LabelFigures,
  StabilityRow,
  ValidationReport,
  WarnedShare,
} from '../scoring/validation/validation-report.ts';

/** Returns the lines that `validate` prints for people: the figures of each method, then their limits. */
export function validationLines(
  { methods, labels, limits }: ValidationReport,
  { distribution }: { distribution: boolean },
): string[] {
  const figures = methods.flatMap((figuresOfMethod) => [
    `method ${figuresOfMethod.method}: ${figuresOfMethod.scored} of ${figuresOfMethod.listings} listings scored`,
    ...(figuresOfMethod.labelled === null ? [] : linesOfLabels(figuresOfMethod.labelled)),
    ...(figuresOfMethod.labelled === null ? [] : linesOfStability(figuresOfMethod.stability)),
    ...(distribution ? linesOfDistribution(figuresOfMethod.distribution) : []),
  ]);
  const limitLines = ['limits of these figures', ...limits.map((limit) => `  ${limit}`)];
  if (labels === null) return figures;
  const left = labels.malformed === 0 ? '' : `, ${labels.malformed} malformed lines left out`;
  return [`${labels.rows} labels${left}`, ...figures, ...limitLines];
}

function linesOfLabels({ coverage, recall, falseWarnings, classes }: LabelFigures): string[] {
  const bad = coverage.filter(({ judgement }) => judgement === 'bad');
  const missing = bad.reduce((sum, { labels, scored }) => sum + labels - scored, 0);
  return [
    '  coverage: labels with a scored listing',
    ...coverage.map(
      ({ judgement, form, labels, clusters, scored }) =>
        `    ${judgement} ${form}: ${scored} of ${labels} (${clusters} clusters)`,
    ),
    `  recall of known-bad: ${shareText(recall)}; bad labels not covered: ${missing}${scopesText(recall)}`,
    `  false warnings on good: ${shareText(falseWarnings)}${reasonsText(falseWarnings)}`,
    ...classes.flatMap(linesOfClass),
  ];
}

function shareText({ warned, scored, interval }: WarnedShare): string {
  const counts = `${warned} of ${scored} have a warning`;
  return interval === null
    ? counts
    : `${counts}: ${percent(warned / scored)}${intervalText(interval, percent)}`;
}

function scopesText({ scopes }: WarnedShare): string {
  const parts = Object.entries(scopes).map(([scope, count]) => `${count} × ${scope}`);
  return parts.length === 0 ? '' : `; scope of the covered ones: ${parts.join(', ')}`;
}

function reasonsText({ reasons }: WarnedShare): string {
  const parts = Object.entries(reasons).map(([reason, count]) => `${count} × ${reason}`);
  return parts.length === 0 ? '' : `; reasons: ${parts.join(', ')}`;
}

function linesOfClass({ name, notMeasurable, areaUnderCurve, calibration }: ClassFigures): string[] {
  if (notMeasurable !== null) {
    return [`  AUC and calibration, ${name}: not measurable: ${notMeasurable}`];
  }
  const lines: string[] = [];
  if (areaUnderCurve) {
    const { value, interval } = areaUnderCurve;
    lines.push(`  AUC of trust, ${name}: ${decimals(value)}${intervalText(interval, decimals)}`);
  }
  if (calibration) {
    const { error, interval, bins } = calibration;
    lines.push(`  calibration error, ${name}: ${decimals(error)}${intervalText(interval, decimals)}`);
    for (const { from, to, rows, shareGood } of bins)
      lines.push(`    trust ${from} to ${to}: ${percent(shareGood)} of ${rows} good`);
  }
  return lines;
}

function linesOfStability(rows: readonly StabilityRow[]): string[] {
  if (rows.length === 0) return [];
  return [
    '  stability: what moves if a list is left out (mean, largest)',
    ...rows.map(
      ({ list, listings, onlyThere, changed, changedVerdicts, trust, confidence }) =>
        `    ${list}: ${listings} listings, ${onlyThere} only there; of the others ${changed} move: ` +
        `trust ${trust.mean.toFixed(2)}, ${trust.largest.toFixed(1)}; ` +
        `confidence ${confidence.mean.toFixed(2)}, ${confidence.largest.toFixed(1)}; ${changedVerdicts} verdicts`,
    ),
  ];
}

function linesOfDistribution(rows: readonly DistributionRow[]): string[] {
  return [
    '  distribution of scores: listings, commonest trust / confidence, entropy, tiers and verdicts',
    ...rows.map(
      ({
        listings,
        kind,
        rows: count,
        commonestPair,
        commonestShare,
        entropyBits,
        onlyListed,
        tiers,
        verdicts,
      }) =>
        `    ${listings}, ${kind === 'all' ? 'every kind' : kind}: ${count}; ` +
        `${commonestPair ?? '-'} has ${percent(commonestShare)}; ${entropyBits.toFixed(2)} bits; ` +
        `${onlyListed} known only by lists; ` +
        `${countsText(tiers)}; ${countsText(verdicts)}`,
    ),
  ];
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return parts.length === 0 ? '-' : parts.sort().join(', ');
}

function intervalText(interval: Interval | null, format: (value: number) => string): string {
  return interval === null ? '' : ` (95%: ${format(interval.low)} to ${format(interval.high)})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function decimals(value: number): string {
  return value.toFixed(3);
}
