import type { Connection } from '../../platform/database/connect.ts';
import { copyRows, isWorthCopying } from '../../platform/database/copy-rows.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import type { Alias } from './stored-aliases.ts';

/** Row of the table `subject_alias`. */
interface AliasRow extends Alias {
  subjectId: string;
  subjectType: SubjectType;
}

/**
 * Inserts aliases. Small batches skip existing aliases and use array parameters, so that one prepared statement serves
 * any number. Large batches use COPY: if an alias exists or is inserted concurrently, the whole batch fails, and the
 * caller retries it.
 */
async function insertAliases(connection: Connection, rows: readonly AliasRow[]): Promise<void> {
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

/**
 * Deletes all aliases of these subjects. Ids are one array parameter, so that one prepared statement serves any number.
 */
async function deleteAliases(connection: Connection, subjectIds: readonly string[]): Promise<void> {
  await connection.query('DELETE FROM subject_alias WHERE subject_id = ANY ($1::uuid[])', [subjectIds]);
}

/** A subject with the aliases to store. */
interface NamedSubject {
  subjectId: string;
  subjectType: SubjectType;
  /** Aliases of the subject. If several have the same label, the first of them wins. */
  aliases: readonly Alias[];
}

/**
 * Adds aliases of any number of subjects in one statement. An alias that exists keeps its kind; in a large batch it
 * makes the statement fail (`insertAliases`).
 */
export async function addAliases(connection: Connection, subjects: readonly NamedSubject[]): Promise<void> {
  const rows = subjects.flatMap(({ subjectId, subjectType, aliases }) =>
    distinct(aliases).map(({ label, kind }) => ({ label, kind, subjectId, subjectType })),
  );
  if (rows.length > 0) await insertAliases(connection, rows);
}

/**
 * Passes the ids and former names of each former subject on to the subject that replaces it, as former names. Deletes
 * all aliases of the former subjects. `refreshListingAliases` and `refreshArtifactAliases` retain former ids.
 */
export async function passOnIds(
  connection: Connection,
  pairs: readonly { former: string; id: string }[],
): Promise<void> {
  const bind = [pairs.map(({ former }) => former), pairs.map(({ id }) => id)];
  await connection.query(PASS_ON_IDS, bind);
  await deleteAliases(connection, bind[0] ?? []);
}

/** Builds SQL that is true for a label that is an id: a UUID or an `AGT-` id. */
export const IS_ID = (label: string) =>
  `(${label} ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' OR ${label} ~ '^agt-[0-9a-z]{8}$')`;

const PASS_ON_IDS = `INSERT INTO subject_alias (label, kind, subject_id, subject_type)
  SELECT f.label, 'former', n.id, f.subject_type FROM unnest($1::uuid[], $2::uuid[]) AS n(former, id)
  JOIN subject_alias f ON f.subject_id = n.former AND (f.kind = 'former' OR ${IS_ID('f.label')})
  ON CONFLICT DO NOTHING`;

/** Replaces all aliases of the subjects. Names that are not among the given aliases stop resolving to them. */
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
