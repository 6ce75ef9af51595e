import { batchJson, batchRows } from '../database/batch.condition.ts';
import type { Connection } from '../database/connect.ts';
import type { SubjectType } from '../subjects/subject-type.ts';

/** Those of these subjects that are known, with their types. One batch, whatever its length: the statement and its plan are kept. */
export function findTypes(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<{ id: string; type: SubjectType }[]> {
  return connection.query(
    `SELECT s.id, s.type FROM (${batchRows('id uuid')}) AS asked JOIN subject s ON s.id = asked.id`,
    [batchJson(subjectIds.map((id) => ({ id })))],
  );
}

/** A subject with the listing that it derives from, where it has one. */
export interface Placed {
  id: string;
  type: SubjectType;
  parent: string | null;
}

/** The same with their parents, by id. */
export function findPlaces(connection: Connection, subjectIds: readonly string[]): Promise<Placed[]> {
  return connection.query<Placed>(
    `SELECT s.id, s.type, l.parent_id AS parent FROM subject s LEFT JOIN listing l ON l.subject_id = s.id
     WHERE s.id = ANY ($1::uuid[]) ORDER BY s.id`,
    [subjectIds],
  );
}
