import type { RowKind } from './row-kinds.ts';

/** What rows were read as; `unknown` are lines of which not even that could be told. */
export const COUNTED_KINDS = ['listing', 'creator', 'account', 'artifact', 'relation', 'unknown'] as const;
/** A kind of row, or `unknown`. */
export type CountedKind = (typeof COUNTED_KINDS)[number];

/** `read` = added + changed + unchanged + rejected. */
interface KindCounts {
  read: number;
  added: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

/** What an import has come to, as plain JSON: it is stored with the place where an interrupted import goes on. */
export interface ImportCounts {
  kinds: Record<CountedKind, KindCounts>;
  /** How many lines were rejected for each reason; places in brackets are left out. */
  reasons: Record<string, number>;
}

// Reasons can name fields that a file makes up.
const MOST_REASONS = 100;
const OTHER_REASONS = 'other reasons';

/** Counts before the first line. */
export function emptyCounts(): ImportCounts {
  const zero = () => ({ read: 0, added: 0, changed: 0, unchanged: 0, rejected: 0 });
  return {
    kinds: {
      listing: zero(),
      creator: zero(),
      account: zero(),
      artifact: zero(),
      relation: zero(),
      unknown: zero(),
    },
    reasons: {},
  };
}

/** Counts one rejected line under its reason. */
export function countReject(counts: ImportCounts, kind: RowKind | null, reason: string): void {
  counts.kinds[kind ?? 'unknown'].rejected += 1;
  const detail = reason.endsWith(')') ? reason.indexOf(' (') : -1;
  const general = detail < 0 ? reason : reason.slice(0, detail);
  const isNew = !Object.hasOwn(counts.reasons, general);
  const key = isNew && Object.keys(counts.reasons).length >= MOST_REASONS ? OTHER_REASONS : general;
  counts.reasons[key] = (counts.reasons[key] ?? 0) + 1;
}
