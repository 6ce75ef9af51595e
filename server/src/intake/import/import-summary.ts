import { formatNumber } from './progress-reporter.ts';
import { ROW_KINDS, type RowKind } from './validate-row.ts';

/** Kinds of counted rows; `unknown` are lines whose kind could not be determined. */
const COUNTED_KINDS = [...ROW_KINDS, 'unknown'] as const;

/** A kind of row, or `unknown`. */
type CountedKind = (typeof COUNTED_KINDS)[number];

/** Counts of the rows of one kind. Once the import is finished, `read` = added + changed + unchanged + rejected. */
interface KindCounts {
  read: number;
  added: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

/**
 * Counts of an import as plain JSON. They are saved together with the position at which an interrupted import resumes.
 */
export interface ImportCounts {
  kinds: Record<CountedKind, KindCounts>;
  /**
   * Rejected lines per reason. Positions in parentheses are cut off the reasons, so that equal ones are counted
   * together.
   */
  reasons: Record<string, number>;
}

// Maximum number of different reasons: they can contain field names from the file, of which there may be any number.
const MAX_REASONS = 100;

const OTHER_REASONS = 'other reasons';

/** Returns counts that are all zero. */
export function emptyCounts(): ImportCounts {
  const zero = () => ({ read: 0, added: 0, changed: 0, unchanged: 0, rejected: 0 });
  const kinds = Object.fromEntries(COUNTED_KINDS.map((kind) => [kind, zero()]));
  return { kinds: kinds as ImportCounts['kinds'], reasons: {} };
}

/** Counts one rejected line under its reason. */
export function countReject(counts: ImportCounts, kind: RowKind | null, reason: string): void {
  counts.kinds[kind ?? 'unknown'].rejected += 1;
  const detail = reason.endsWith(')') ? reason.indexOf(' (') : -1;
  const general = detail < 0 ? reason : reason.slice(0, detail);
  const isNew = !Object.hasOwn(counts.reasons, general);
  const key = isNew && Object.keys(counts.reasons).length >= MAX_REASONS ? OTHER_REASONS : general;
  counts.reasons[key] = (counts.reasons[key] ?? 0) + 1;
}

/** Result of an import. */
export interface ImportSummary extends ImportCounts {
  /** False if the import was interrupted; the same call resumes it. */
  finished: boolean;
  /** True if this run resumed an interrupted import; the counts then include the interrupted run. */
  resumed: boolean;
  /** Scores stored in this run. */
  scored: number;
  /** Path of the rejects file; null without rejected lines. */
  rejectsPath: string | null;
  seconds: number;
}

const LABELS: Readonly<Record<CountedKind, string>> = {
  listing: 'listings',
  creator: 'creators',
  account: 'accounts',
  artifact: 'artifacts',
  relation: 'relations',
  server: 'lines of the MCP registry',
  packument: 'packages of npm',
  project: 'projects of PyPI',
  scorecard: 'results of OpenSSF Scorecard',
  agent_card: 'agent cards',
  skills_index: 'indexes of skills',
  unknown: 'unknown',
};

/** Kinds that are shown only if there are any. */
const OPTIONAL_KINDS: ReadonlySet<CountedKind> = new Set([
  'account',
  'server',
  'packument',
  'project',
  'scorecard',
  'agent_card',
  'skills_index',
  'unknown',
]);
/** Maximum number of reasons shown; the rejects file has all of them. */
const MAX_SHOWN_REASONS = 20;

/** Formats the summary as lines of text. */
export function summaryLines(summary: ImportSummary): string[] {
  const kinds = COUNTED_KINDS.filter((kind) => !OPTIONAL_KINDS.has(kind) || summary.kinds[kind].read > 0);
  const lines = kinds.map((kind) => {
    const { read, added, changed, unchanged, rejected } = summary.kinds[kind];
    const parts = `${formatNumber(added)} added, ${formatNumber(changed)} changed, ${formatNumber(unchanged)} unchanged`;
    return `${LABELS[kind]}: ${formatNumber(read)} read = ${parts}, ${formatNumber(rejected)} rejected`;
  });
  lines.push(...reasonLines(summary.reasons));
  if (summary.rejectsPath !== null) lines.push(`Rejected lines: see ${summary.rejectsPath}.`);
  lines.push(`${formatNumber(summary.scored)} scores recorded in ${summary.seconds.toFixed(1)} s.`);
  if (!summary.finished)
    lines.push('Interrupted. The rows counted above are stored. Run the same command again to continue.');
  return lines;
}

/** Text that says when the rows of a kind count as read if they state no time and `--read-at` is not given. */
const READINGS: Readonly<Partial<Record<CountedKind, string>>> = {
  packument: 'their last change',
  project: 'their last upload',
  agent_card: 'the time of this import',
  skills_index: 'the time of this import',
};

/** Returns the lines that tell the user when rows without a time of their own count as read. */
export function readingLines({ kinds }: ImportCounts, readAt: Date | undefined): string[] {
  const lines = COUNTED_KINDS.flatMap((kind) => {
    const time = READINGS[kind];
    if (time === undefined || kinds[kind].read === 0) return [];
    const taken = readAt === undefined ? time : `${formatTime(readAt)}, as --read-at says`;
    return [`  ${LABELS[kind]} count as read at ${taken}`];
  });
  if (kinds.scorecard.read > 0) lines.push(`  ${LABELS.scorecard} count as read at their own date`);
  return lines;
}

/** Formats a time as `2026-11-20 09:30 UTC`. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function reasonLines(reasons: ImportCounts['reasons']): string[] {
  const byCount = Object.entries(reasons).sort(([, a], [, b]) => b - a);
  const lines = byCount
    .slice(0, MAX_SHOWN_REASONS)
    .map(([reason, count]) => `  ${formatNumber(count)} × ${reason}`);
  const further = byCount.length - lines.length;
  return further > 0 ? [...lines, `  and ${formatNumber(further)} further reasons`] : lines;
}
