import { batchBytes } from '../../platform/batching/batch-source.ts';
import { perConnection } from '../../platform/batching/concurrency-control.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import type { AcceptedScore } from '../../scoring/scores/accept-score.ts';
import {
  columnsOf,
  EVIDENCE_COLUMNS,
  evidenceIsNew,
  insertEvidence,
  RANKED_COLUMNS,
  type ScoreRow,
  scoreRow,
} from '../../scoring/scores/score-evidence.fragment.ts';

/**
 * Reads the large evidence columns from the batch `c`, only for evidence that is not stored yet (`unstored`), which is
 * rare.
 */
const NEW_EVIDENCE = `(SELECT u.subject_id, ${columnsOf('c', EVIDENCE_COLUMNS)} FROM unstored u JOIN c ON c.n = u.n)`;

/**
 * Columns of a signed score in the batch: the version that the signature names, and the SHA-256 of the signed score.
 */
export const SIGNED_COLUMNS = 'signed_version timestamptz, signature_sha256 bytea';

/** Columns of a call's score that `RECORDED_SCORES` and the statement around it store. */
export const SCORED_COLUMNS = `${RANKED_COLUMNS}, signed_version, signature_sha256`;

/**
 * SQL offset that gives each run of a batch a distinct time; `n` is the run's position in the batch. The clock may
 * return the same value for several rows of a statement, but the runs of a bucket are ordered by time.
 */
export const AFTER_EARLIER_RUNS = "n * interval '1 microsecond'";

/**
 * Stores the scores of the runs `o` and makes them the current ones of their subjects.
 * - `o` has each run's position `n` in the batch and `SCORED_COLUMNS`.
 * - The result `m` adds `version`, the version of the score; `at`, a time after all locks were acquired; and
 *   `used_after`, the bucket's used amount after the run's charge. It contains all columns that later steps store,
 *   because a join of `m` with `o` would compare every pair of rows.
 * - The runs of a bucket are charged in batch order, which is also the order of `at`.
 * - Several runs of one subject get versions that differ by a microsecond, and the last one becomes the current one.
 * - A signed score has the version that its signature names. If a later version is stored meanwhile, the signed one
 *   becomes part of the history, because the current version never moves backwards.
 * - A run whose subject does not exist gets no version, and a CHECK of the ended runs rejects it.
 * - Locks the subjects by id, then their ranking rows. The subjects are updated by an INSERT whose rows all conflict,
 *   because an INSERT locks rows in the order of its query. An UPDATE locks them in the order of its plan, which for a
 *   small table is the order of storage. A lock before the UPDATE, in the same statement, would deadlock while a
 *   foreign key check locks a replaced row version. Without the INSERT, `deadlocks.db.test.ts` fails.
 * - The column `name` of the inserted row carries the number of the subject's runs, because the update after a conflict
 *   can read only the inserted and the stored row.
 */
export const RECORDED_SCORES = `
s AS (INSERT INTO subject AS scored (id, type, name, current_version)
  SELECT subject.id, subject.type, asked.runs::text, asked.signed
  FROM (SELECT subject_id, subject_type, count(*) AS runs, max(signed_version) AS signed FROM o GROUP BY subject_id, subject_type) asked
    JOIN subject ON subject.id = asked.subject_id AND subject.type = asked.subject_type ORDER BY subject.id
  ON CONFLICT (id) DO UPDATE SET current_version = CASE
    WHEN excluded.current_version IS NOT NULL THEN greatest(scored.current_version, excluded.current_version)
    ELSE greatest(ledger_now(), scored.current_version + interval '1 microsecond') + (excluded.name::int - 1) * interval '1 microsecond' END
  RETURNING scored.id, scored.current_version),
m AS MATERIALIZED (SELECT ordered.*, ledger_now() + ${AFTER_EARLIER_RUNS} AS at
  FROM (SELECT o.*, o.used_before + sum(o.amount) OVER (PARTITION BY o.account_id, o.bucket_id ORDER BY o.n) AS used_after,
      CASE WHEN o.signed_version IS NULL
        THEN s.current_version - (count(*) OVER (PARTITION BY s.id) - row_number() OVER (PARTITION BY s.id ORDER BY o.n)) * interval '1 microsecond'
        WHEN s.id IS NOT NULL THEN o.signed_version END AS version
    FROM o LEFT JOIN s ON s.id = o.subject_id ORDER BY o.n OFFSET 0) ordered),
unstored AS MATERIALIZED (SELECT m.n, m.subject_id FROM m WHERE ${evidenceIsNew('m')}),
x AS (${insertEvidence(NEW_EVIDENCE, 'true')}),
v AS (INSERT INTO score_version (subject_id, version, content, ledger_id, fresh_at)
  SELECT subject_id, version, content, ledger_id, fresh_at FROM m),
l AS (UPDATE listing_rank SET trust = last.trust, confidence = last.confidence, tier = last.tier, score_version = last.version,
    verdict = last.verdict, reasons = last.reasons
  FROM (SELECT DISTINCT ON (subject_id) subject_id, version, trust, confidence, tier, verdict, reasons FROM m
    ORDER BY subject_id, version DESC) last
  WHERE listing_rank.subject_id = last.subject_id
    AND (listing_rank.score_version IS NULL OR listing_rank.score_version < last.version))`;

const MOST_KNOWN = 20_000;
const NOT_NULL_VIOLATION = '23502';

/**
 * Columns that are sent with every score. The other columns are the score's evidence, which is stored once per
 * content.
 */
type Ranked = 'trust' | 'confidence' | 'tier' | 'content' | 'fresh_at' | 'verdict' | 'reasons';
export type SentScore = Pick<ScoreRow, Ranked> & Partial<ScoreRow & Signed>;

/** Values of the columns `SIGNED_COLUMNS`. */
interface Signed {
  signed_version: string;
  signature_sha256: string;
}

/**
 * Cache of the evidence that is known to be stored. Stored evidence is never deleted; archiving only moves its large
 * columns.
 */
interface StoredEvidence {
  /** Returns the row to send, without the evidence columns if this evidence is known to be stored. */
  toSend(subjectId: string, row: ScoreRow): SentScore;
  /** Records that evidence with this content is stored. */
  add(subjectId: string, content: string): void;
  /** Clears the cache, so that all evidence is sent again. */
  clear(): void;
}

/**
 * Creates a cache that records which evidence is stored already, for up to `most` contents; when full, it starts empty
 * again. Without the cache, `score-evidence.db.test.ts` fails.
 */
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
 * Sends a batch of scores in one statement, without the evidence that is known to be stored. `isStored` gets the
 * result of an item and returns whether its score was stored. If a failover lost the omitted evidence, the statement
 * changes nothing, and the batch is sent again with all evidence.
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
      scores.map(({ subjectId, signed }, n) => {
        const row = evidence.toSend(subjectId, rows[n] as ScoreRow);
        return signed ? Object.assign({}, row, signedColumnsOf(signed)) : row;
      }),
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

function signedColumnsOf({ version, sha256 }: NonNullable<AcceptedScore['signed']>): Signed {
  return { signed_version: version, signature_sha256: batchBytes(sha256) };
}
