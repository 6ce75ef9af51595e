import type { Command } from 'commander';
import { ProgressReporter } from '../intake/import/progress-reporter.ts';
import type { Label } from '../scoring/validation/parse-label.ts';
import { validationLines } from './validation-lines.ts';
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

/** Labels of a file, and the number of its lines that are no labels. */
interface LabelFile {
  rows: Label[];
  malformed: number;
}

/** Adds `validate`, which measures the scoring methods on labelled subjects and writes nothing to the database. */
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

/** Reads the labels of a file, and reports each line that is no label on standard error. */
async function readLabels(path: string): Promise<LabelFile> {
  const { readLines } = await import('../intake/import/read-lines.ts');
  const { parseLabel } = await import('../scoring/validation/parse-label.ts');
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
