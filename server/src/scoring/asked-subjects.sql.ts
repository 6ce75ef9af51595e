import type { Connection } from '../database/connect.ts';

/** One statement in two texts: for a single subject, and for a batch. */
export interface AskedSubjects {
  readonly one: string;
  readonly many: string;
}

/**
 * Makes both texts from a condition on `s.id`. For a single subject the plan is the same whichever it is, and PostgreSQL
 * keeps it; for a list it does not know how long it will be, and would plan each call anew.
 */
export function askedSubjects(sqlWhere: (condition: string) => string): AskedSubjects {
  return { one: sqlWhere('s.id = $1::uuid'), many: sqlWhere('s.id = ANY ($1::uuid[])') };
}

/** The rows of these subjects. */
export function readSubjects<Row extends object>(
  connection: Connection,
  sql: AskedSubjects,
  ids: readonly string[],
): Promise<Row[]> {
  return ids.length === 1 ? connection.query<Row>(sql.one, ids) : connection.query<Row>(sql.many, [ids]);
}
