import type { Connection } from '../../platform/database/connect.ts';
import type { VerdictInput, VerdictState } from '../verdict/verdict.ts';
import { verdictOf } from '../verdict/verdict.ts';
import { findVerdictInput } from './score.queries.ts';

/** Extent of the evidence behind a score, shown before a caller pays for the score. */
export interface ScoreBasis {
  readonly state: VerdictState;
  /** Number of observed signals, and of signals that apply. Both are 0 if the backend reports no signals. */
  readonly known: number;
  readonly total: number;
  readonly confidence: number;
  /** Example: "little evidence: 1 of 9 signals known". */
  readonly text: string;
}

const STATES: Readonly<Record<VerdictState, string>> = {
  verified: 'verified',
  well_evidenced: 'well evidenced',
  little_evidence: 'little evidence',
  warning: 'warning',
};

/** Loads the basis of a subject's current score; null if the subject has no score. */
export async function loadScoreBasis(connection: Connection, subjectId: string): Promise<ScoreBasis | null> {
  const score = await findVerdictInput(connection, subjectId);
  return score ? scoreBasisOf(score) : null;
}

/** Counts the signals behind a score and summarises them in words. */
export function scoreBasisOf(score: VerdictInput): ScoreBasis {
  const { state } = verdictOf(score);
  const applying = score.contributions.filter(({ status }) => status !== 'not_applicable');
  const known = applying.filter(({ status }) => status === 'observed').length;
  const total = applying.length;
  const signals = total === 0 ? 'its backend names no signals' : `${known} of ${total} signals known`;
  return { state, known, total, confidence: score.confidence, text: `${STATES[state]}: ${signals}` };
}
