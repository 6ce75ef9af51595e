import { batchJson, batchRows } from '../database/batch.condition.ts';
import { coalesce, onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';

/**
 * Notes subjects whose score no longer follows from their facts; `own` for their own facts, which also decide what
 * their children inherit. A note made while a scoring is under way outlives it.
 */
export async function markDue(connection: Connection, ids: readonly string[], own: boolean): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(
    `INSERT INTO score_due AS d (subject_id, own) SELECT DISTINCT id, $2::boolean FROM unnest($1::uuid[]) AS s(id)
     ORDER BY id ${RENEWED}`,
    [ids, own],
  );
}

const RENEWED = `ON CONFLICT (subject_id) DO UPDATE SET own = d.own OR excluded.own,
  noted_at = greatest(ledger_now(), d.noted_at + interval '1 microsecond')`;

const OVERTAKEN = `
WITH c AS MATERIALIZED (${batchRows('id uuid, since timestamptz')})
INSERT INTO score_due AS d (subject_id, own) SELECT DISTINCT c.id, true FROM c
WHERE EXISTS (SELECT FROM score s WHERE s.subject_id = c.id AND s.version > c.since AND s.ledger_id IS NULL)
ORDER BY 1 ${RENEWED}`;

const MARKING_OVERTAKEN = onEach((connection) =>
  coalesce<{ id: string; since: string }, void>({
    async run(all) {
      await connection.query(OVERTAKEN, [batchJson(all)]);
      return all.map(() => undefined);
    },
    laneOf: ({ id }) => id,
    // Nobody waits for it.
    maxInFlight: 1,
  }),
);

/**
 * Notes a subject whose current score rests on facts read at `since` (ISO 8601) while maintenance has scored it from
 * later ones: the older facts won, because their score was recorded last.
 */
export function markOvertaken(connection: Connection, id: string, since: string): Promise<void> {
  return MARKING_OVERTAKEN(connection)({ id, since });
}

/**
 * Notes those of some just recorded scores beside which others of their subjects were recorded since their facts were
 * read, at `since` (ISO 8601): whose facts were the later ones nobody can tell. Answers their subjects.
 */
export async function noteCrossed(
  connection: Connection,
  scores: readonly { subjectId: string; version: string }[],
  since: string,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `INSERT INTO score_due AS d (subject_id, own)
     SELECT DISTINCT s.subject_id, true FROM score s
     JOIN jsonb_to_recordset($1::jsonb) AS mine("subjectId" uuid, version timestamptz) ON mine."subjectId" = s.subject_id
     WHERE s.version > $2::timestamptz AND s.version <> mine.version ORDER BY 1 ${RENEWED} RETURNING subject_id AS id`,
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

/** Ids of all subjects that wait for a score. */
export async function listDue(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ id: string }>('SELECT subject_id AS id FROM score_due ORDER BY 1');
  return rows.map(({ id }) => id);
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
