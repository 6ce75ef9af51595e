import type { Connection } from '../database/connect.ts';
import type { Alias } from './labels.ts';
import type { SubjectType } from './subject-type.ts';

/** One subject with every name that shall lead to it. */
export interface NamedSubject {
  subjectId: string;
  subjectType: SubjectType;
  aliases: readonly Alias[];
}

/** Adds names, any number of subjects in one statement; a name that the subject has already keeps its kind. */
export async function insertAliases(
  connection: Connection,
  subjects: readonly NamedSubject[],
): Promise<void> {
  const rows = subjects.flatMap(({ subjectId, subjectType, aliases }) =>
    aliases.map(({ label, kind }) => ({ label, kind, subjectId, subjectType })),
  );
  if (rows.length === 0) return;
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

/** Makes these the only names of the subjects: what a subject is no longer called stops leading to it. */
export async function replaceAliases(
  connection: Connection,
  subjects: readonly NamedSubject[],
): Promise<void> {
  await connection.query('DELETE FROM subject_alias WHERE subject_id = ANY ($1::uuid[])', [
    subjects.map((subject) => subject.subjectId),
  ]);
  await insertAliases(connection, subjects);
}
