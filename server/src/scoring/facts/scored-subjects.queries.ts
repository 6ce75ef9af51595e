import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../subject-type.ts';

/**
 * Returns the type of each of these subjects that exists. The ids are one parameter, so that one prepared statement and
 * plan serves any number of ids.
 */
export function findTypes(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<{ id: string; type: SubjectType }[]> {
  return connection.query(
    `SELECT s.id, s.type FROM (${batchRows('id uuid')}) AS asked JOIN subject s ON s.id = asked.id`,
    [batchJson(subjectIds.map((id) => ({ id })))],
  );
}

/** A subject with the listing that it derives from; null if there is none. */
interface SubjectWithParent {
  id: string;
  type: SubjectType;
  parent: string | null;
}

/** Returns the type and the parent of each of these subjects that exists, in id order. */
export function findParents(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<SubjectWithParent[]> {
  return connection.query<SubjectWithParent>(
    `SELECT s.id, s.type, l.parent_id AS parent FROM subject s LEFT JOIN listing l ON l.subject_id = s.id
     WHERE s.id = ANY ($1::uuid[]) ORDER BY s.id`,
    [subjectIds],
  );
}
