import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Experiment } from './experiment.ts';

/** Options of `npm run torture`. */
export interface TortureOptions {
  seed: number;
  experiments: readonly Experiment[];
  /** Factor by which the amounts of long runs are multiplied. */
  scale: number;
  /** Repeats with further seeds for this many minutes; null means one run. */
  minutes: number | null;
  /** Factor by which time limits are multiplied. */
  patience: number;
  /** Folder of the report. */
  out: string;
}

export const USAGE = `npm run torture -- [options]
  --only C1,F4     some experiments; all by default
  --scale 0.1      multiply the amounts of the long run by this; 1 by default
  --minutes 30     repeat with new seeds for this long; one run by default
  --patience 2.5   multiply time limits by this, on a machine with other load; 1 by default
  --seed 1         repeat a run; a new seed by default
  --out FOLDER     folder of report.md and report.json; torture-report by default`;

/** Parses the command line; throws an Error that says what is wrong. */
export function parseOptions(args: readonly string[], all: readonly Experiment[]): TortureOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { seed: text, only: text, scale: text, minutes: text, patience: text, out: text },
  });
  const wanted = values.only?.split(',').map((id) => id.trim().toUpperCase());
  const unknown = wanted?.filter((id) => !all.some((experiment) => experiment.id === id)) ?? [];
  if (unknown.length > 0) {
    throw new Error(
      `There is no experiment ${unknown.join(', ')}. There are ${all.map(({ id }) => id).join(', ')}.`,
    );
  }
  return {
    seed: values.seed === undefined ? randomInt(2 ** 31) : number('--seed', values.seed),
    experiments: wanted ? all.filter(({ id }) => wanted.includes(id)) : all,
    scale: number('--scale', values.scale ?? '1'),
    minutes: values.minutes === undefined ? null : number('--minutes', values.minutes),
    patience: number('--patience', values.patience ?? '1'),
    out: values.out ?? 'torture-report',
  };
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`${name} must be a number, 0 or more.`);
  return value;
}
