import type { CountedKind, ImportCounts } from './import-counts.ts';
import { COUNTED_KINDS } from './import-counts.ts';
import { grouped } from './progress-reporter.ts';

/** What an import came to. For each kind `read` = added + changed + unchanged + rejected once it is finished. */
export interface ImportSummary extends ImportCounts {
  /** False where it was interrupted: the same call goes on. */
  finished: boolean;
  /** True where it went on with an interrupted import; the counts are of both. */
  resumed: boolean;
  /** Scores recorded in this run. */
  scored: number;
  /** Where the rejected lines are told; null without any. */
  rejectsPath: string | null;
  seconds: number;
}

const LABELS: Readonly<Record<CountedKind, string>> = {
  listing: 'listings',
  creator: 'creators',
  account: 'accounts',
  artifact: 'artifacts',
  relation: 'relations',
  unknown: 'unknown',
};

/** Shown only where there are any. */
const SELDOM: ReadonlySet<CountedKind> = new Set(['account', 'unknown']);
/** The rejects file tells the others. */
const SHOWN_REASONS = 20;

/** The summary for a person, line by line. */
export function summaryLines(summary: ImportSummary): string[] {
  const kinds = COUNTED_KINDS.filter((kind) => !SELDOM.has(kind) || summary.kinds[kind].read > 0);
  const lines = kinds.map((kind) => {
    const { read, added, changed, unchanged, rejected } = summary.kinds[kind];
    const parts = `${grouped(added)} added, ${grouped(changed)} changed, ${grouped(unchanged)} unchanged`;
    return `${LABELS[kind]}: ${grouped(read)} read = ${parts}, ${grouped(rejected)} rejected`;
  });
  lines.push(...reasonLines(summary.reasons));
  if (summary.rejectsPath !== null) lines.push(`The rejected lines are in ${summary.rejectsPath}.`);
  lines.push(`${grouped(summary.scored)} scores recorded in ${summary.seconds.toFixed(1)} s.`);
  if (!summary.finished)
    lines.push('Interrupted: what is counted here is stored. The same command goes on from here.');
  return lines;
}

function reasonLines(reasons: ImportCounts['reasons']): string[] {
  const byCount = Object.entries(reasons).sort(([, a], [, b]) => b - a);
  const lines = byCount.slice(0, SHOWN_REASONS).map(([reason, count]) => `  ${grouped(count)} × ${reason}`);
  const further = byCount.length - lines.length;
  return further > 0 ? [...lines, `  and ${grouped(further)} further reasons`] : lines;
}
