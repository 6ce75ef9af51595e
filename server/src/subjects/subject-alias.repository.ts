import type { Connection } from '../database/connect.ts';
import type { Alias } from './labels.ts';
import type { SubjectType } from './subject-type.ts';

/** A name as it is stored. */
export interface AliasRow extends Alias {
  subjectId: string;
  subjectType: SubjectType;
}

/** Adds names; one that is there already keeps its kind. Arrays, so that one kept statement takes any number of them. */
export async function insertAliases(connection: Connection, rows: readonly AliasRow[]): Promise<void> {
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

/** Takes every name of these subjects out, in the batches of an import too: one kept statement, whatever their number. */
export async function deleteAliases(connection: Connection, subjectIds: readonly string[]): Promise<void> {
  await connection.query('DELETE FROM subject_alias WHERE subject_id = ANY ($1::uuid[])', [subjectIds]);
}
