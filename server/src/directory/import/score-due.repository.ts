import type { Connection } from '../../database/connect.ts';

/** Notes subjects whose facts changed; `own` for their own facts, which also decide what their children inherit. */
export async function markDue(connection: Connection, ids: readonly string[], own: boolean): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(
    `INSERT INTO score_due AS d (subject_id, own) SELECT DISTINCT id, $2::boolean FROM unnest($1::uuid[]) AS s(id)
     ORDER BY id ON CONFLICT (subject_id) DO UPDATE SET own = true WHERE excluded.own AND NOT d.own`,
    [ids, own],
  );
}

/** A subject that waits for a score; `own` as for markDue. */
export interface DueSubject {
  id: string;
  own: boolean;
}

/** The next subjects to score: own facts before inherited ones, listings without a parent first. */
export async function nextDue(connection: Connection, count: number): Promise<DueSubject[]> {
  return connection.query<DueSubject>(
    `SELECT d.subject_id AS id, d.own FROM score_due d LEFT JOIN listing l USING (subject_id)
     ORDER BY d.own DESC, l.parent_id IS NOT NULL, d.subject_id LIMIT $1 FOR UPDATE OF d SKIP LOCKED`,
    [count],
  );
}

/** Takes subjects off the list that have their scores now; children inherit anew from those whose own facts changed. */
export async function settleDue(connection: Connection, subjects: readonly DueSubject[]): Promise<void> {
  await connection.query('DELETE FROM score_due WHERE subject_id = ANY ($1::uuid[])', [
    subjects.map(({ id }) => id),
  ]);
  const parents = subjects.filter(({ own }) => own).map(({ id }) => id);
  await connection.query(
    `INSERT INTO score_due (subject_id, own) SELECT subject_id, false FROM listing WHERE parent_id = ANY ($1::uuid[])
     ORDER BY 1 ON CONFLICT DO NOTHING`,
    [parents],
  );
}

/** How many subjects wait for a score. */
export async function countDue(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ count: number }>('SELECT count(*) AS count FROM score_due');
  return row?.count ?? 0;
}
