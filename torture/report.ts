import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figures } from './experiment.ts';

/** Result of one run of one experiment. */
export interface Result {
  readonly id: string;
  readonly promise: string;
  readonly amount: number;
  readonly unit: string;
  readonly seed: number;
  readonly seconds: number;
  readonly figures: Figures;
  /** Violation; null if none. */
  readonly broken: string | null;
  /** Reason why it was skipped; null if it ran. */
  readonly skipped: string | null;
}

/** Figures summed over all experiments. */
const SUMMED = [
  'calls',
  'acknowledged',
  'kills',
  'races',
  'schedules',
  'commands',
  'cuts',
  'lost',
  'doubled',
  'ledgerChecks',
];

function totalsOf(results: readonly Result[]): Figures {
  const totals: Figures = {};
  for (const name of SUMMED) {
    totals[name] = results.reduce((sum, { figures }) => sum + Number(figures[name] ?? 0), 0);
  }
  totals.longestHoldMs = Math.max(0, ...results.map(({ figures }) => Number(figures.longestHoldMs ?? 0)));
  return totals;
}

function words(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function outcomeOf({ broken, skipped }: Result): string {
  if (skipped !== null) return `not run: ${skipped}`;
  return broken === null ? 'holds' : '**BROKEN**';
}

/** Formats the report as Markdown. */
function markdownOf(results: readonly Result[], startedAt: Date): string {
  const rows = results.map(
    (result) =>
      `| ${result.id} | ${result.promise} | ${result.amount} ${result.unit} | ${outcomeOf(result)} | ${words(result.figures)} | ${result.seconds} | ${result.seed} |`,
  );
  const broken = results.filter((result) => result.broken !== null);
  return [
    '# Torture of the ledger',
    '',
    `Begun ${startedAt.toISOString()}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB.`,
    '',
    `Together: ${words(totalsOf(results))}.`,
    '',
    '| | promise | amount | outcome | figures | s | seed |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    ...broken.flatMap(({ id, seed, broken: what }) => [
      '',
      `## ${id} is broken`,
      '',
      replayOf(id, seed),
      '',
      '```',
      what ?? '',
      '```',
    ]),
    '',
  ].join('\n');
}

/** Returns the command that repeats a run. */
export function replayOf(id: string, seed: number): string {
  return `npm run torture -- --only ${id} --seed ${seed}`;
}

/** Writes report.md and report.json into a folder, which is created if needed. */
export async function writeReport(
  folder: string,
  results: readonly Result[],
  startedAt: Date,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const whole = { startedAt: startedAt.toISOString(), totals: totalsOf(results), results };
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(whole, null, 2)}\n`);
  await writeFile(join(folder, 'report.md'), markdownOf(results, startedAt));
}
