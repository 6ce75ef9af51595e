import type { Connection } from '../database/connect.ts';
import type { HostId } from './read-host-id.ts';

/** The listing of the repository with its host's id; null where none has it. */
export async function findByHostId(connection: Connection, { host, id }: HostId): Promise<string | null> {
  const [row] = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE host = $1 AND host_repository_id = $2',
    [host, id],
  );
  return row?.id ?? null;
}
