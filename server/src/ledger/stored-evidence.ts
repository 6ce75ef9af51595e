import { onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { errorCode } from '../database/database-errors.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import { type ScoreRow, scoreRow } from '../scoring/score-row.ts';

const MOST_KNOWN = 20_000;
const NOT_NULL_VIOLATION = '23502';

/** What is stored with every score; the rest of a row stands in its evidence alone. */
type Ranked = 'trust' | 'confidence' | 'tier' | 'content' | 'fresh_at' | 'verdict' | 'reasons';
export type SentScore = Pick<ScoreRow, Ranked> & Partial<ScoreRow>;

/** The evidence that is known to be stored: no evidence is ever changed or taken out. */
export interface StoredEvidence {
  /** A row as it has to be sent: without its evidence where that is stored. */
  toSend(subjectId: string, row: ScoreRow): SentScore;
  /** Evidence of this content is stored. */
  note(subjectId: string, content: string): void;
  /** Nothing is known any more: all is sent. */
  forget(): void;
}

/** What is known to be stored, up to so many contents. */
export function createStoredEvidence(most = MOST_KNOWN): StoredEvidence {
  const known = new Set<string>();
  return {
    toSend(subjectId, row) {
      if (!known.has(`${subjectId} ${row.content}`)) return row;
      const { trust, confidence, tier, content, fresh_at, verdict, reasons } = row;
      return { trust, confidence, tier, content, fresh_at, verdict, reasons };
    },
    note(subjectId, content) {
      if (known.size >= most) known.clear();
      known.add(`${subjectId} ${content}`);
    },
    forget: () => known.clear(),
  };
}

/** What this process knows of the database behind a connection. */
const storedEvidence = onEach(() => createStoredEvidence());

/**
 * Sends a batch of scores in one statement, without the evidence that is known to be stored; `isStored` says of an answer that
 * its score is. Evidence that was left out and is not there was lost by a failover: nothing was done, and all is sent again, whole.
 */
export async function sendScores<Answer>(
  connection: Connection,
  scores: readonly AcceptedScore[],
  send: (rows: readonly SentScore[]) => Promise<Answer[]>,
  isStored: (answer: Answer) => boolean,
): Promise<Answer[]> {
  const evidence = storedEvidence(connection);
  const rows = scores.map(scoreRow);
  const sendOnce = async () => {
    const answers = await send(
      scores.map(({ subjectId }, n) => evidence.toSend(subjectId, rows[n] as ScoreRow)),
    );
    for (const [n, { subjectId }] of scores.entries())
      if (isStored(answers[n] as Answer)) evidence.note(subjectId, (rows[n] as ScoreRow).content);
    return answers;
  };
  try {
    return await sendOnce();
  } catch (error) {
    if (errorCode(error)?.code !== NOT_NULL_VIOLATION) throw error;
    evidence.forget();
    return sendOnce();
  }
}
