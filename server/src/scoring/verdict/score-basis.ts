import type { Judged, VerdictState } from './verdict.ts';
import { verdictOf } from './verdict.ts';

/** How much a score rests on, to be told before somebody pays for it. */
export interface ScoreBasis {
  readonly state: VerdictState;
  /** Signals observed, of those that apply; both 0 where a backend tells none. */
  readonly known: number;
  readonly total: number;
  readonly confidence: number;
  /** "little evidence: 1 of 9 signals known". */
  readonly text: string;
}

const STATES: Readonly<Record<VerdictState, string>> = {
  verified: 'verified',
  well_evidenced: 'well evidenced',
  little_evidence: 'little evidence',
  warning: 'warning',
};

/** Counts what a score rests on, and says it in words. */
export function scoreBasisOf(score: Judged): ScoreBasis {
  const { state } = verdictOf(score);
  const applying = score.contributions.filter(({ status }) => status !== 'not_applicable');
  const known = applying.filter(({ status }) => status === 'observed').length;
  const total = applying.length;
  const signals = total === 0 ? 'its backend names no signals' : `${known} of ${total} signals known`;
  return { state, known, total, confidence: score.confidence, text: `${STATES[state]}: ${signals}` };
}
