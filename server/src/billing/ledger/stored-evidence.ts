import { perConnection } from '../../platform/batching/batcher.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import type { AcceptedScore } from '../../scoring/scores/accept-score.ts';
import { type ScoreRow, scoreRow } from '../../scoring/scores/score-evidence.fragment.ts';

const MOST_KNOWN = 20_000;
const NOT_NULL_VIOLATION = '23502';

/** Columns that are sent with every score. The other columns are its evidence, which is stored once per content. */
type Ranked = 'trust' | 'confidence' | 'tier' | 'content' | 'fresh_at' | 'verdict' | 'reasons';
export type SentScore = Pick<ScoreRow, Ranked> & Partial<ScoreRow>;

/** Remembers which evidence is already stored. Stored evidence is never changed or deleted. */
export interface StoredEvidence {
  /** Returns the row to send: without its evidence if that is stored. */
  toSend(subjectId: string, row: ScoreRow): SentScore;
  /** Records that evidence with this content is stored. */
  add(subjectId: string, content: string): void;
  /** Clears the cache, so that all evidence is sent again. */
  clear(): void;
}

/** Creates a cache of up to `most` evidence contents. Without the cache, `score-evidence.db.test.ts` fails. */
export function createStoredEvidence(most = MOST_KNOWN): StoredEvidence {
  const known = new Set<string>();
  return {
    toSend(subjectId, row) {
      if (!known.has(`${subjectId} ${row.content}`)) return row;
      const { trust, confidence, tier, content, fresh_at, verdict, reasons } = row;
      return { trust, confidence, tier, content, fresh_at, verdict, reasons };
    },
    add(subjectId, content) {
      if (known.size >= most) known.clear();
      known.add(`${subjectId} ${content}`);
    },
    clear: () => known.clear(),
  };
}

/** Cache of stored evidence per connection. */
const storedEvidence = perConnection(() => createStoredEvidence());

/**
 * Sends a batch of scores in one statement, without the evidence that is known to be stored; `isStored` returns true
 * if the result of an item means that its score was stored. If omitted evidence is missing because a failover lost
 * it, the statement changes nothing, and the batch is sent again with all evidence.
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
      if (isStored(answers[n] as Answer)) evidence.add(subjectId, (rows[n] as ScoreRow).content);
    return answers;
  };
  try {
    return await sendOnce();
  } catch (error) {
    if (errorCode(error)?.code !== NOT_NULL_VIOLATION) throw error;
    evidence.clear();
    return sendOnce();
  }
}
