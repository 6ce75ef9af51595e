import type { Connection } from '../../src/database/connect.ts';

/** Ids of all subjects that wait for a score. */
export async function listDue(connection: Connection): Promise<string[]> {
  const due = await connection.query<{ id: string }>('SELECT subject_id AS id FROM score_due ORDER BY 1');
  return due.map(({ id }) => id);
}
