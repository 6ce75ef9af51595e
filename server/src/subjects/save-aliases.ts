import type { Connection } from '../database/connect.ts';
import type { Alias } from './labels.ts';
import { deleteAliases, insertAliases } from './subject-alias.repository.ts';
import type { SubjectType } from './subject-type.ts';

/** One subject with every name that leads to it. */
export interface NamedSubject {
  subjectId: string;
  subjectType: SubjectType;
  /** Of two with one label the first counts. */
  aliases: readonly Alias[];
}

/** Adds names, any number of subjects in one statement; a name that the subject has already keeps its kind. */
export async function addAliases(connection: Connection, subjects: readonly NamedSubject[]): Promise<void> {
  const rows = subjects.flatMap(({ subjectId, subjectType, aliases }) =>
    distinct(aliases).map(({ label, kind }) => ({ label, kind, subjectId, subjectType })),
  );
  if (rows.length > 0) await insertAliases(connection, rows);
}

/** Makes these the only names of the subjects: what a subject is no longer called stops leading to it. */
export async function replaceAliases(
  connection: Connection,
  subjects: readonly NamedSubject[],
): Promise<void> {
  await deleteAliases(
    connection,
    subjects.map(({ subjectId }) => subjectId),
  );
  await addAliases(connection, subjects);
}

function distinct(aliases: readonly Alias[]): Alias[] {
  const byLabel = new Map<string, Alias>();
  for (const alias of aliases) if (!byLabel.has(alias.label)) byLabel.set(alias.label, alias);
  return [...byLabel.values()];
}
