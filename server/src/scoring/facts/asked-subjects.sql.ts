import { batchJson, batchRows } from '../../database/batch.condition.ts';
import { coalesce, onEach } from '../../database/coalesce.ts';
import type { Connection } from '../../database/connect.ts';
import { sharedRoom } from '../../database/shared-room.ts';

/** SQL of the subjects that are asked for, `c.id`; `$1` are their ids. */
export const ASKED_SUBJECTS = batchRows('id uuid');

/** Reads the rows of these subjects. */
export type ReadSubjects<Row> = (connection: Connection, ids: readonly string[]) => Promise<readonly Row[]>;

/** Reads by one statement, over `ASKED_SUBJECTS`: those who ask for a single subject while others wait share it. */
export function readingSubjects<Row extends { id: string }>(sql: string): ReadSubjects<Row> {
  const readAll = (connection: Connection, ids: readonly string[]) =>
    connection.query<Row>(sql, [batchJson(ids.map((id) => ({ id })))]);
  const readOne = onEach((connection) =>
    coalesce<string, readonly Row[]>({
      name: 'read_facts',
      watch: connection.watch,
      async run(ids) {
        const rows = await readAll(connection, [...new Set(ids)]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        return ids.map((id) => [byId.get(id)].filter((row) => row !== undefined));
      },
      room: sharedRoom(connection),
      laneOf: (id) => id,
    }),
  );
  return (connection, ids) => {
    const [first] = ids;
    return ids.length === 1 && first !== undefined ? readOne(connection)(first) : readAll(connection, ids);
  };
}
