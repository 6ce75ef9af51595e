/** One line of the bench's table. */
export interface Line {
  readonly work: string;
  readonly against: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean;
}

/** Two compared values of one unit, with the format of the unit. */
export interface Compared {
  readonly work: string;
  readonly against: string;
  readonly one: number;
  readonly other: number;
  readonly unit: (value: number) => string;
}

/** Creates a line that requires at least `least` times the other value. */
export function atLeast(compared: Compared, least: number): Line {
  return lineOf(compared, `≥ ${least} ×`, ratioOf(compared) >= least);
}

/** Creates a line that requires at most `most` times the other value and at most `bound`, if given. */
export function atMost(compared: Compared, most: number, bound = Number.POSITIVE_INFINITY): Line {
  const { one, unit } = compared;
  const also = Number.isFinite(bound) ? `, ≤ ${unit(bound)}` : '';
  return lineOf(compared, `≤ ${most} ×${also}`, ratioOf(compared) <= most && one <= bound);
}

function lineOf(compared: Compared, target: string, met: boolean): Line {
  const { work, against, one, other, unit } = compared;
  const measured = `${ratioOf(compared).toFixed(2)} × (${unit(one)}, ${unit(other)})`;
  return { work, against, measured, target, met };
}

function ratioOf({ work, one, other }: Compared): number {
  if (!(other > 0) || !Number.isFinite(one)) throw new Error(`${work}: ${one} and ${other} have no ratio`);
  return one / other;
}

const HEAD = ['work', 'against', 'measured', 'target', 'met?'] as const;

/** Formats the table as Markdown, with padded columns so that the source is readable too. */
export function drawTable(lines: readonly Line[]): string {
  const rows = lines.map(({ work, against, measured, target, met }) =>
    [work, against, measured, target, met ? 'yes' : 'no'].map((cell) => cell.replaceAll('|', '\\|')),
  );
  const all = [[...HEAD], ...rows];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const draw = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [draw(HEAD), rule, ...rows.map(draw)].join('\n');
}
