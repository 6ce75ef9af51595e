import type { AgentRecord } from '../../directory/agent-record.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import type { ScoreDetail } from '../score/score-detail.ts';

/** So many stand beside each other at most. */
export const MOST_COMPARED = 4;

/** One agent or skill beside others. */
export interface Compared {
  subject: ResolvedSubject;
  /** Null for what is inside a repository. */
  record: AgentRecord | null;
  score: ScoreDetail | null;
}

/** A name as it was asked for, and why it leads to nobody; null where it leads to a column. */
export interface Asked {
  text: string;
  problem: string | null;
}

/** Everything the page shows. */
export interface ComparePage {
  asked: Asked[];
  /** Each once, in the order asked. */
  columns: Compared[];
  /** More were asked for than are shown. */
  leftOut: number;
}
