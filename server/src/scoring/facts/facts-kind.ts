import { batchJson, batchRows } from '../../database/batch.condition.ts';
import type { Connection } from '../../database/connect.ts';
import type { Facts } from '../scoring-backend.ts';
import type { SubjectFacts } from './subject-facts.ts';

/** SQL of facts, of no column twice; `moment.now` is when they are read, and `MOMENT` one. */
export interface FactsSql {
  /** What a found subject `s` says of itself as well. */
  readonly subject: string;
  readonly columns: string;
  /** Tables that have one row of each subject `s` that there are facts of. */
  readonly tables: string;
  /** Of those that have a place in a repository: the tables behind the creator `c`, the others being the place's own. */
  readonly behindCreator?: string;
}

/** How the facts of subjects of some types are read. */
export interface FactsKind<Row extends { id: string }, Kind extends Facts = Facts> {
  readonly sql: FactsSql;
  factsOf(row: Row): SubjectFacts<Kind>;
  /** By subject id, in one statement; a subject of another type, or unknown, is not in the answer. */
  load(connection: Connection, subjectIds: readonly string[]): Promise<Map<string, SubjectFacts<Kind>>>;
}

/** The one moment of all facts that a statement reads, among its WITH. */
export const MOMENT = 'moment AS MATERIALIZED (SELECT utc_text(ledger_now()) AS now)';

/** A kind of facts by the SQL of its rows and what they mean. */
export function factsKind<Row extends { id: string }, Kind extends Facts>(
  sql: FactsSql,
  factsOf: (row: Row) => SubjectFacts<Kind>,
): FactsKind<Row, Kind> {
  const whole = `WITH ${MOMENT}, asked AS MATERIALIZED (${batchRows('id uuid')})
SELECT ${sql.subject}, moment.now, ${sql.columns} FROM moment, asked JOIN subject s ON s.id = asked.id ${sql.tables}`;
  return {
    sql,
    factsOf,
    async load(connection, subjectIds) {
      const rows = await connection.query<Row>(whole, [batchJson(subjectIds.map((id) => ({ id })))]);
      return new Map(rows.map((row) => [row.id, factsOf(row)]));
    },
  };
}
