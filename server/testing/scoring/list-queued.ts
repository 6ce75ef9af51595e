import type { Connection } from '../../src/platform/database/connect.ts';

/** Returns the ids of all subjects queued for scoring. */
export async function listQueued(connection: Connection): Promise<string[]> {
  const due = await connection.query<{ id: string }>('SELECT subject_id AS id FROM score_due ORDER BY 1');
  return due.map(({ id }) => id);
}
