import { batchJson, batchRows } from '../database/batch.condition.ts';
import type { Connection } from '../database/connect.ts';
import type { SubjectType } from '../subjects/subject-type.ts';

/** Adds notes, or renews them: in the order of the ids, so that two who note the same subjects never wait in a circle. */
export async function insertNotes(
  connection: Connection,
  notes: readonly { id: string; own: boolean }[],
): Promise<void> {
  await connection.query(
    `INSERT INTO score_due AS d (subject_id, own) SELECT id, bool_or(own)
     FROM unnest($1::uuid[], $2::boolean[]) AS s(id, own) GROUP BY id ORDER BY id ${RENEWED}`,
    [notes.map(({ id }) => id), notes.map(({ own }) => own)],
  );
}

const RENEWED = `ON CONFLICT (subject_id) DO UPDATE SET own = d.own OR excluded.own,
  noted_at = greatest(ledger_now(), d.noted_at + interval '1 microsecond')`;

// Its newest versions, one after the other: joined to their evidence, or in no order, all that a subject ever had are read.
const OVERTAKEN = `
WITH c AS MATERIALIZED (${batchRows('id uuid, since timestamptz, version timestamptz')})
INSERT INTO score_due AS d (subject_id, own) SELECT DISTINCT c.id, true FROM c
CROSS JOIN LATERAL (SELECT v.content FROM score_version v WHERE v.subject_id = c.id AND v.version > c.since AND v.ledger_id IS NULL
  ORDER BY v.version DESC LIMIT 1) later
LEFT JOIN score_version mine ON mine.subject_id = c.id AND mine.version = c.version
WHERE later.content IS DISTINCT FROM mine.content
ORDER BY 1 ${RENEWED}`;

/**
 * Adds a note for each subject that maintenance has scored since its moment (ISO 8601), in one statement, and not to the same
 * content as the score of this version.
 */
export async function insertOvertaken(
  connection: Connection,
  subjects: readonly { id: string; since: string; version: string }[],
): Promise<void> {
  await connection.query(OVERTAKEN, [batchJson(subjects)]);
}

/**
 * Notes those of some just recorded scores beside which others of their subjects were recorded since their facts were
 * read, at `since` (ISO 8601), with another content: whose facts were the later ones nobody can tell. Answers their subjects.
 */
export async function noteCrossed(
  connection: Connection,
  scores: readonly { subjectId: string; version: string }[],
  since: string,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `INSERT INTO score_due AS d (subject_id, own)
     SELECT DISTINCT s.subject_id, true FROM score_version s
     JOIN jsonb_to_recordset($1::jsonb) AS mine("subjectId" uuid, version timestamptz) ON mine."subjectId" = s.subject_id
     LEFT JOIN score_version m ON m.subject_id = mine."subjectId" AND m.version = mine.version
     WHERE s.version > $2::timestamptz AND s.version <> mine.version AND s.content IS DISTINCT FROM m.content ORDER BY 1 ${RENEWED} RETURNING subject_id AS id`,
    [JSON.stringify(scores), since],
  );
  return rows.map(({ id }) => id);
}

/** A note as it was read; `notedAt` has six decimals. */
export interface DueNote {
  id: string;
  own: boolean;
  notedAt: string;
}

/** The notes of these subjects, to be read before their facts. */
export function readNotes(connection: Connection, ids: readonly string[]): Promise<DueNote[]> {
  return connection.query<DueNote>(
    `SELECT subject_id AS id, own, utc_text(noted_at) AS "notedAt" FROM score_due WHERE subject_id = ANY ($1::uuid[])`,
    [ids],
  );
}

/** Takes off notes that are as they were read; children inherit anew from subjects whose own facts had changed. */
export async function settleNotes(connection: Connection, notes: readonly DueNote[]): Promise<void> {
  if (notes.length === 0) return;
  await connection.query(
    `WITH settled AS MATERIALIZED (
       SELECT d.subject_id FROM score_due d JOIN jsonb_to_recordset($1::jsonb) AS n(id uuid, "notedAt" timestamptz)
         ON n.id = d.subject_id AND n."notedAt" = d.noted_at ORDER BY d.subject_id FOR UPDATE OF d)
     DELETE FROM score_due d USING settled WHERE d.subject_id = settled.subject_id`,
    [JSON.stringify(notes)],
  );
  const parents = notes.filter(({ own }) => own).map(({ id }) => id);
  if (parents.length === 0) return;
  await connection.query(
    `INSERT INTO score_due AS d (subject_id, own) SELECT subject_id, false FROM listing
     WHERE parent_id = ANY ($1::uuid[]) ORDER BY 1 ${RENEWED}`,
    [parents],
  );
}

/** Ids of the creators of these listings: new scores of the listings change their portfolios. */
export async function creatorsOf(connection: Connection, listingIds: readonly string[]): Promise<string[]> {
  if (listingIds.length === 0) return [];
  const rows = await connection.query<{ id: string }>(
    'SELECT DISTINCT creator_id AS id FROM listing WHERE subject_id = ANY ($1::uuid[]) ORDER BY 1',
    [listingIds],
  );
  return rows.map(({ id }) => id);
}

// By the id alone, after which one goes on: what is scored meanwhile is noted no more.
const PAGE_OF_DUE = `SELECT d.subject_id AS id FROM score_due d JOIN subject s ON s.id = d.subject_id
  WHERE s.type = ANY ($1::text[]) AND d.subject_id > $2::uuid ORDER BY 1 LIMIT $3::bigint`;

/** Ids of subjects of these types that wait for a score, in order, after this one; so many, or (null) all. */
export async function pageOfDue(
  connection: Connection,
  types: readonly SubjectType[],
  after: string,
  count: number | null,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(PAGE_OF_DUE, [types, after, count]);
  return rows.map(({ id }) => id);
}

/** How many they are. */
export function countDue({ models, transaction }: Connection): Promise<number> {
  return models.ScoreDue.count({ transaction });
}

/**
 * Some of those that were noted so many seconds ago or longer, at random: where some of them never come to a score,
 * the others still get their turn.
 */
export async function someDue(
  connection: Connection,
  count: number,
  afterSeconds: number,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM score_due WHERE noted_at <= ledger_now() - $2::int * interval '1 second'
     ORDER BY random() LIMIT $1`,
    [count, afterSeconds],
  );
  return rows.map(({ id }) => id);
}
