import type { Command } from 'commander';
import { ProgressReporter } from '../intake/import/progress-reporter.ts';
import type { Label } from '../scoring/validation/labels.ts';
import type { Interval } from '../scoring/validation/statistics.ts';
import type {
  ClassFigures,
  DistributionRow,
  LabelFigures,
  StabilityRow,
  ValidationReport,
  WarnedShare,
} from '../scoring/validation/validation-report.ts';
import { print, type Tools, withDatabase } from './with-database.ts';

interface Options {
  labels?: string;
  distribution?: boolean;
  at?: string;
  json?: boolean;
}

/** Help about the format of the labels file. */
const LABEL_FORMAT = `
Each line of the labels file is a JSON object:
  subject   npm:NAME, pypi:NAME, repo:OWNER/NAME or skill:PATH
  label     good, bad or suspect
  cluster   name of the campaign, owner or repository; labels of one cluster count as dependent
  listings  optional list of OWNER/NAME: listings that the label is about
  group     optional name of the collection that the label comes from
  scope     optional: package, versions, artifact or unknown
  leaks     optional list of signals that would see the label; they are masked`;

/** Labels of a file, and the number of lines that are not valid labels. */
interface LabelFile {
  rows: Label[];
  malformed: number;
}

/**
 * Adds `validate`, which measures the scoring methods on labelled subjects and by the distribution of their scores. It
 * stores no results.
 */
export function addValidateCommand(program: Command): void {
  program
    .command('validate')
    .description(
      'measure the scoring methods: on labelled subjects, by leaving out lists, by their distribution',
    )
    .option('--labels <file>', 'file of labelled subjects, newline-delimited JSON')
    .option('--distribution', 'print how the scores are distributed')
    .option('--at <time>', 'time from which ages are computed, such as 2026-08-23; now by default')
    .option('--json', 'print all figures as one JSON object')
    .addHelpText('after', LABEL_FORMAT)
    .action(async (options: Options) => {
      if (options.labels === undefined && !options.distribution) {
        throw new Error('There is nothing to measure: add --labels FILE, --distribution or both.');
      }
      // Read before the database is opened, so that a wrong path is reported at once.
      const labels = options.labels === undefined ? null : await readLabels(options.labels);
      await withDatabase((tools) => runValidation(tools, labels, options));
    });
}

async function runValidation(
  { database }: Tools,
  labels: LabelFile | null,
  { distribution = false, json = false, at: time }: Options,
): Promise<void> {
  const { validateMethods } = await import('../scoring/validation/validate-methods.ts');
  const progress = new ProgressReporter(process.stderr);
  const report = await validateMethods(database, { labels, at: timeOf(time), progress });
  const lines = json ? [JSON.stringify(report, null, 2)] : validationLines(report, { distribution });
  for (const line of lines) print(line);
}

function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new Error(`--at ${text} is not a time. Write a day such as 2026-08-23, or an ISO 8601 time.`);
  return time;
}

/** Reads the labels of a file, and reports each invalid line on standard error. */
async function readLabels(path: string): Promise<LabelFile> {
  const { readLines } = await import('../intake/import/read-lines.ts');
  const { parseLabel } = await import('../scoring/validation/labels.ts');
  const labels: LabelFile = { rows: [], malformed: 0 };
  const report = (line: number, problem: string) => {
    labels.malformed += 1;
    process.stderr.write(`${path}:${line}: ${problem}\n`);
  };
  try {
    for await (const { number, text, problem } of readLines(path)) {
      const label = text === null ? (problem ?? 'the line cannot be read') : parseLabel(text);
      if (typeof label === 'string') report(number, label);
      else labels.rows.push(label);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`The labels file ${path} cannot be read (${message}). Correct the path after --labels.`);
  }
  if (labels.rows.length === 0) {
    throw new Error(`${path} has no label. Each line must be a JSON object with subject, label and cluster.`);
  }
  return labels;
}

/**
 * Returns the lines that `validate` prints for people: the figures of each method and, if there are labels, the limits
 * of these figures.
 */
function validationLines(
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
