import type { Connection } from '../database/connect.ts';
import { copyRows, isWorthCopying } from '../database/copy-rows.ts';
import type { Alias } from './labels.ts';
import type { SubjectType } from './subject-type.ts';

/** A name as it is stored. */
export interface AliasRow extends Alias {
  subjectId: string;
  subjectType: SubjectType;
}

/**
 * Adds names. Of few, one that is there already keeps its kind: arrays, so that one kept statement takes any number of them.
 * Of many none may be there: they are copied, and a name that somebody else added meanwhile fails all, to be tried again.
 */
export async function insertAliases(connection: Connection, rows: readonly AliasRow[]): Promise<void> {
  if (isWorthCopying(connection, rows))
    return copyRows(connection, 'subject_alias', COLUMNS, rows.map(record));
  await connection.query(
    `INSERT INTO subject_alias (label, kind, subject_id, subject_type)
     SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::text[])
     ON CONFLICT DO NOTHING`,
    [
      rows.map((row) => row.label),
      rows.map((row) => row.kind),
      rows.map((row) => row.subjectId),
      rows.map((row) => row.subjectType),
    ],
  );
}

const COLUMNS = 'label text, kind text, subject_id uuid, subject_type text';

function record({ label, kind, subjectId, subjectType }: AliasRow) {
  return { label, kind, subject_id: subjectId, subject_type: subjectType };
}

/** Takes every name of these subjects out, in the batches of an import too: one kept statement, whatever their number. */
export async function deleteAliases(connection: Connection, subjectIds: readonly string[]): Promise<void> {
  await connection.query('DELETE FROM subject_alias WHERE subject_id = ANY ($1::uuid[])', [subjectIds]);
}
