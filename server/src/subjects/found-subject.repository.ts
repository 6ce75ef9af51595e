import { batchJson, batchRows } from '../database/batch.condition.ts';
import type { Connection } from '../database/connect.ts';
import { type PlacedRow, readTogether } from '../database/read-together.ts';
import { sharedRoom } from '../database/shared-room.ts';
import {
  type AskedLabel,
  BEST_SUBJECTS,
  FOUND_IN_ORDER,
  FOUND_SUBJECT,
  type FoundSubject,
  SUBJECT_QUESTION,
  type SubjectQuestion,
  TOLD_OF_ITEM,
} from './found-subject.condition.ts';
import type { Naming } from './naming.ts';

/** Who asks for more labels at once, a page of receipts, goes alone. */
const MOST_TOGETHER = 32;

const SQL = `WITH c AS MATERIALIZED (${batchRows(SUBJECT_QUESTION)}), ${BEST_SUBJECTS}
SELECT c.n, found.* FROM best JOIN c ON ${TOLD_OF_ITEM} CROSS JOIN LATERAL (${FOUND_SUBJECT}) AS found
ORDER BY c.n, ${FOUND_IN_ORDER}`;

const findTogether = readTogether<SubjectQuestion, FoundSubject>({
  sql: SQL,
  laneOf: ({ labels }) => labels[0]?.label ?? '',
  roomOf: sharedRoom,
});

/**
 * The subjects that the best of the labels lead to: by kind (identity, former, name), then by place. One: it is meant;
 * several: the text is ambiguous, and `most` of them are told; none: it is unknown. What is asked while other questions
 * wait for their answer goes in one statement.
 */
export async function findSubjects(
  connection: Connection,
  asked: readonly AskedLabel[],
  most: number,
  { hosts }: Naming,
): Promise<FoundSubject[]> {
  if (asked.length === 0) return [];
  const question = { labels: asked, most, hosts };
  const rows =
    asked.length > MOST_TOGETHER
      ? await connection.query<PlacedRow<FoundSubject>>(SQL, [batchJson([question])])
      : await findTogether(connection, question);
  return rows.map(({ n: _n, ...subject }) => subject);
}
