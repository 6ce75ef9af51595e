import type { Connection } from './connect.ts';

/** Resolves where the database answers a statement that reads nothing; rejects with why it does not. */
export async function requireAnswer(connection: Pick<Connection, 'query'>): Promise<void> {
  await connection.query('SELECT 1 AS one');
}
