import type { Contribution, Facts } from '../../scoring/scoring-backend.ts';
import { formatCount, formatDay } from '../../ui/text.tsx';
import { describeSeen, nameOfSignal } from '../score/signal-words.ts';
import { whyMissing } from '../score/unseen.ts';
import type { Compared } from './compare-page-data.ts';

/** What one subject shows in a row. */
export interface Cell {
  /** What was seen, in words; null where nothing was. */
  seen: string | null;
  /** From 0 to 1 on the scale that all columns share; null where there is none. */
  value: number | null;
  /** Why nothing was seen. */
  reason: string | null;
}

/** One property of all columns. */
export interface Row {
  name: string;
  cells: Cell[];
}

/** The rows that tell subjects apart, then those in which they are alike; heaviest signal first in both. */
export interface Alignment {
  differing: Row[];
  alike: Row[];
}

/** Every signal of every score and what their listings state, one row each, in one order for all columns. */
export function alignSignals(columns: readonly Compared[]): Alignment {
  const rows = [...signalRows(columns), ...statedRows(columns)];
  return {
    differing: rows.filter(({ cells }) => !isAlike(cells)),
    alike: rows.filter(({ cells }) => isAlike(cells)),
  };
}

/** Whether a reader sees the same in all of them. */
function isAlike(cells: readonly Cell[]): boolean {
  return new Set(cells.map(({ seen, value, reason }) => JSON.stringify([seen ?? reason, value]))).size <= 1;
}

function signalRows(columns: readonly Compared[]): Row[] {
  const weights = new Map<string, number>();
  for (const { score } of columns)
    for (const { signal, weight } of score?.contributions ?? [])
      weights.set(signal, Math.max(weight, weights.get(signal) ?? 0));
  return [...weights]
    .sort(([, one], [, other]) => other - one)
    .map(([signal]) => ({
      name: nameOfSignal(signal) ?? signal,
      cells: columns.map((column) => signalCell(column, signal)),
    }));
}

function signalCell({ score, record }: Compared, signal: string): Cell {
  const found = score?.contributions.find((each) => each.signal === signal);
  if (!found) return { seen: null, value: null, reason: score ? 'not part of its score' : 'no score yet' };
  if (found.status !== 'observed' || found.value === null)
    return {
      seen: null,
      value: null,
      reason: reasonOf(found, score?.contributions ?? [], record?.creatorHost ?? null),
    };
  const seen = describeSeen(signal, score?.facts ?? null);
  return { seen: seen ?? `${Math.round(found.value * 100)} of 100`, value: found.value, reason: null };
}

/** As the subject's own page says it. */
function reasonOf(found: Contribution, all: readonly Contribution[], host: string | null): string {
  return found.status === 'missing' ? whyMissing(found, all, host) : (found.reason ?? 'not applicable');
}

function statedRows(columns: readonly Compared[]): Row[] {
  const row = (name: string, seenOf: (column: Compared) => string | null): Row => ({
    name,
    cells: columns.map((column) => ({ seen: seenOf(column), value: null, reason: 'not known' })),
  });
  return [
    ...(columns.some(({ score }) => figuresDayOf(score?.facts ?? null) !== null)
      ? [row('Repository figures as of', ({ score }) => figuresDayOf(score?.facts ?? null))]
      : []),
    row('Type', ({ subject }) => subject.type),
    row('Category', ({ record }) => record?.category ?? null),
    row('Tags', ({ record }) => (record && record.tags.length > 0 ? record.tags.join(', ') : null)),
    row('Tier', ({ score }) => score?.tier ?? null),
    row('Score caps', ({ score }) => score && capsOf(score.caps)),
  ];
}

/** Returns the day on which a repository's figures were read, and that of the downloads where they stand for stars. */
function figuresDayOf(facts: Facts | null): string | null {
  if (facts === null || !('parents' in facts)) return null;
  const { stars, forks, openIssues, lastCommitAt, monthlyDownloads } = facts;
  const read = stars ?? forks ?? openIssues ?? lastCommitAt;
  const days = [
    ...(read === null ? [] : [formatDay(read.observedAt)]),
    ...(stars === null && monthlyDownloads !== null
      ? [`downloads ${formatDay(monthlyDownloads.observedAt)}`]
      : []),
  ];
  return days.length === 0 ? null : days.join('; ');
}

function capsOf(caps: readonly { cap: string; limit: number }[]): string {
  if (caps.length === 0) return 'none';
  return caps.map(({ cap, limit }) => `${formatCount(limit)}: ${nameOfSignal(cap) ?? cap}`).join('; ');
}
