import { describeObserved, signalLabel, whyMissing } from '../../../scoring/explanations/signal-labels.ts';
import type { Facts } from '../../../scoring/fact-types.ts';
import type { Contribution } from '../../../scoring/scoring-backend.ts';
import { formatCount, formatDay } from '../../components/formatting.tsx';
import type { ComparedSubject } from './compare.page.tsx';

/** One subject's cell in a row of the comparison. */
export interface Cell {
  /** Value in words; null if it is not known. */
  seen: string | null;
  /** Observed value of a signal, from 0 to 1; null if it was not observed, or if the row is not about a signal. */
  value: number | null;
  /** Text that is shown if `seen` is null; otherwise without effect. */
  reason: string | null;
}

/** One signal or other property, with a cell for each compared subject. */
export interface Row {
  name: string;
  cells: Cell[];
}

/** Rows that differ between subjects, and rows that do not. Both begin with the signals, those of most weight first. */
export interface Alignment {
  differing: Row[];
  alike: Row[];
}

/** Builds a row for each signal of the scores and for each other property, and separates the rows that differ. */
export function alignSignals(columns: readonly ComparedSubject[]): Alignment {
  const rows = [...signalRows(columns), ...propertyRows(columns)];
  return {
    differing: rows.filter(({ cells }) => !isSame(cells)),
    alike: rows.filter(({ cells }) => isSame(cells)),
  };
}

/** Returns true if all cells have the same text and the same value. */
function isSame(cells: readonly Cell[]): boolean {
  return new Set(cells.map(({ seen, value, reason }) => JSON.stringify([seen ?? reason, value]))).size <= 1;
}

function signalRows(columns: readonly ComparedSubject[]): Row[] {
  const weights = new Map<string, number>();
  for (const { score } of columns)
    for (const { signal, weight } of score?.contributions ?? [])
      weights.set(signal, Math.max(weight, weights.get(signal) ?? 0));
  return [...weights]
    .sort(([, one], [, other]) => other - one)
    .map(([signal]) => ({
      name: signalLabel(signal) ?? signal,
      cells: columns.map((column) => signalCell(column, signal)),
    }));
}

function signalCell({ score, record }: ComparedSubject, signal: string): Cell {
  const found = score?.contributions.find((each) => each.signal === signal);
  if (!found) return { seen: null, value: null, reason: score ? 'not part of its score' : 'no score yet' };
  if (found.status !== 'observed' || found.value === null)
    return {
      seen: null,
      value: null,
      reason: reasonOf(found, score?.contributions ?? [], record?.creatorHost ?? null),
    };
  const seen = describeObserved(signal, score?.facts ?? null);
  return { seen: seen ?? `${Math.round(found.value * 100)} of 100`, value: found.value, reason: null };
}

/** Explains a value that was not observed, in the words of the subject's own page. */
function reasonOf(found: Contribution, all: readonly Contribution[], host: string | null): string {
  return found.status === 'missing' ? whyMissing(found, all, host) : (found.reason ?? 'not applicable');
}

function propertyRows(columns: readonly ComparedSubject[]): Row[] {
  const row = (name: string, seenOf: (column: ComparedSubject) => string | null): Row => ({
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

/**
 * Formats the day on which a repository's figures were read. If the downloads are known but the stars are not, adds the
 * day of the downloads. Returns null if no day is known.
 */
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
  return caps.map(({ cap, limit }) => `${formatCount(limit)}: ${signalLabel(cap) ?? cap}`).join('; ');
}
