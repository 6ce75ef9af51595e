import type {
  AdvisoryOutcome,
  AdvisoryReading,
  AdvisoryRow,
} from '../../catalog/advisories/save-advisories.ts';
import { formatTime } from '../import/import-summary.ts';
import { formatNumber } from '../import/progress-reporter.ts';

/** Counts of an import of advisories. `read` is the sum of `rejected` and of the counts by outcome, such as `added`. */
export interface AdvisoryCounts extends Readonly<Record<AdvisoryOutcome, number>> {
  readonly read: number;
  readonly rejected: number;
  /** Number of rejected records by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Number of records that were read although they break a rule, by rule. */
  readonly problems: Readonly<Record<string, number>>;
  /** Number of records that were not read because, by the index of their folder, the stored ones are current. */
  readonly passedOver: number;
  /** Number of disputes (statements that a version is not affected) that were read in addition to the records. */
  readonly disputes: number;
  /** Number of withdrawn records among those that were read. */
  readonly withdrawn: number;
  /** False if the import was interrupted; the same call continues it. */
  readonly finished: boolean;
  /**
   * Time at which the databases count as read, and whether this is the time of the files. Null if no file counts as a
   * whole database.
   */
  readonly reading: { readonly readAt: Date; readonly isOfFile: boolean } | null;
}

/**
 * Maximum number of different reasons that are counted. Reasons can contain text from the file, so their number is
 * otherwise unlimited.
 */
const MAX_REASONS = 100;
const OTHER = 'other';

/** Counts the records of an import. */
export class AdvisoryCounter {
  readonly #outcomes: Record<AdvisoryOutcome, number> = {
    ...{ added: 0, changed: 0, unchanged: 0, outdated: 0, foreign: 0 },
  };
  readonly #reasons = new Map<string, number>();
  readonly #problems = new Map<string, number>();
  readonly #readings = new Map<string, AdvisoryReading>();
  #withdrawn = 0;
  #passedOver = 0;
  #disputes = 0;

  /** Counts a row that was read. `isWhole` says whether its file counts as a whole database. */
  addRow(row: AdvisoryRow, outcome: AdvisoryOutcome | undefined, isWhole: boolean): void {
    if (outcome !== undefined) this.#outcomes[outcome] += 1;
    if (row.withdrawnAt !== null) this.#withdrawn += 1;
    if (row.problem !== null) countUnder(this.#problems, row.problem);
    if (!isWhole) return;
    for (const ecosystem of new Set(row.packages.map((each) => each.ecosystem))) {
      const key = `${row.source} ${ecosystem}`;
      const { records } = this.#readings.get(key) ?? { records: 0 };
      this.#readings.set(key, { source: row.source, ecosystem, records: records + 1 });
    }
  }

  addReject(reason: string): void {
    countUnder(this.#reasons, reason);
  }

  addDisputes(disputes: number): void {
    this.#disputes += disputes;
  }

  addPassedOver(records: number): void {
    this.#passedOver += records;
  }

  /** Adds databases whose records are all stored according to an index. */
  addReadings(readings: readonly AdvisoryReading[]): void {
    for (const each of readings) this.#readings.set(`${each.source} ${each.ecosystem}`, each);
  }

  get counts(): Omit<AdvisoryCounts, 'finished' | 'reading'> {
    const rejected = [...this.#reasons.values()].reduce((sum, count) => sum + count, 0);
    const stored = Object.values(this.#outcomes).reduce((sum, count) => sum + count, 0);
    return {
      ...this.#outcomes,
      read: stored + rejected,
      rejected,
      reasons: Object.fromEntries(this.#reasons),
      problems: Object.fromEntries(this.#problems),
      passedOver: this.#passedOver,
      disputes: this.#disputes,
      withdrawn: this.#withdrawn,
    };
  }

  /** Returns the databases that were read completely, one for each source and ecosystem. */
  readings(): AdvisoryReading[] {
    return [...this.#readings.values()];
  }
}

function countUnder(counts: Map<string, number>, text: string): void {
  const key = counts.has(text) || counts.size < MAX_REASONS ? text : OTHER;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Maximum lines that are shown for reasons of rejection, and for problems; the rejects file has all rejected records.
 */
const MAX_SHOWN = 20;

/** Formats the counts as lines of text. */
export function advisoryLines(counts: AdvisoryCounts): string[] {
  const { read, added, changed, unchanged, outdated, foreign, rejected, withdrawn } = counts;
  const parts = [
    `${formatNumber(added)} added`,
    `${formatNumber(changed)} changed`,
    `${formatNumber(unchanged)} unchanged`,
    `${formatNumber(outdated)} older than the stored one`,
    `${formatNumber(foreign)} of other ecosystems`,
    `${formatNumber(rejected)} rejected`,
  ];
  const lines = [`advisories: ${formatNumber(read)} read = ${parts.join(', ')}`];
  if (counts.passedOver > 0)
    lines.push(
      `  ${formatNumber(counts.passedOver)} more not read: the index says that they have not changed`,
    );
  if (counts.disputes > 0) lines.push(`  ${formatNumber(counts.disputes)} disputes of versions`);
  if (withdrawn > 0) lines.push(`  ${formatNumber(withdrawn)} withdrawn: they no longer affect a package`);
  lines.push(...linesOf(counts.reasons, 'rejected'), ...linesOf(counts.problems, 'read although'));
  if (counts.finished) lines.push(counts.reading === null ? NO_WHOLE_DATABASE : readingLine(counts.reading));
  if (!counts.finished) {
    lines.push('Interrupted. The records counted above are stored. Run the same command again to continue.');
  }
  return lines;
}

const NO_WHOLE_DATABASE =
  '  no whole database was read: packages that no advisory names remain unknown; add --whole for files that have every advisory of their registries';

function readingLine({ readAt, isOfFile }: NonNullable<AdvisoryCounts['reading']>): string {
  const origin = isOfFile
    ? 'when the oldest of their files changed; if they were copied later, add --read-at DATE'
    : 'as --read-at says';
  return `  databases count as read at ${formatTime(readAt)}, ${origin}`;
}

function linesOf(counts: Readonly<Record<string, number>>, label: string): string[] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_SHOWN)
    .map(([reason, count]) => `  ${formatNumber(count)} × ${label}: ${reason}`);
}
