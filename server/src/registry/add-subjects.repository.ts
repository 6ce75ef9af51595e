import type { Connection } from '../database/connect.ts';
import { copyRows, isWorthCopying } from '../database/copy-rows.ts';
import type { SubjectType } from '../subjects/subject-type.ts';

/** Adds subjects: many by COPY, few as arrays, so that one kept statement takes any number of them. */
export async function addSubjects(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType; name: string }[],
): Promise<void> {
  if (isWorthCopying(connection, subjects))
    return copyRows(connection, 'subject', 'id uuid, type text, name text', subjects);
  await connection.query(
    'INSERT INTO subject (id, type, name) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])',
    [subjects.map(({ id }) => id), subjects.map(({ type }) => type), subjects.map(({ name }) => name)],
  );
}
