import type { Connection } from '../database/connect.ts';

/** The subject of an `AGT-` id, or null. */
export async function findParent(connection: Connection, agentId: string): Promise<string | null> {
  const [parent] = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE agent_id = upper($1)',
    [agentId],
  );
  return parent?.id ?? null;
}
