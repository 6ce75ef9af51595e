import { hash } from 'node:crypto';
import type { AcceptedScore } from './accept-score.ts';
import type { VerdictState } from './verdict/verdict.ts';

/** The columns by which a score goes into SQL: `content` names its evidence, `fresh_at` is null where that says it. */
export type ScoreRow = Omit<AcceptedScore['record'], 'freshness'> & {
  content: string;
  freshness: string | null;
  fresh_at: string | null;
  verdict: VerdictState;
  reasons: readonly string[];
};

/** Half of a SHA-256 in hexadecimal, as a UUID: no longer than it must be, since every version names it. */
const CONTENT_DIGITS = 32;

/**
 * A score with the name of its content: of everything in it but the moment that it was asked in. Scores of the same facts
 * have one content until time alone moves a figure.
 */
export function scoreRow({ subjectType, record, verdict }: AcceptedScore): ScoreRow {
  const { now, facts } = record.inputs;
  const isOfThisMoment = record.freshness === now;
  // Here and wherever a call's objects are put together: `...` takes thirty times as long.
  const row = Object.assign({}, record, {
    freshness: isOfThisMoment ? null : record.freshness,
    fresh_at: isOfThisMoment ? now : null,
  });
  const { inputs: _moment, fresh_at: _fresh, ...kept } = row;
  // Each part is built by our own code, in one order.
  const content = hash('sha256', JSON.stringify([subjectType, facts, kept]), 'hex').slice(0, CONTENT_DIGITS);
  // No part of the content: it follows from it.
  return Object.assign(row, { content, verdict: verdict.state, reasons: verdict.reasons });
}
