import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Facts } from '../fact-types.ts';
import type { ScoreSubject } from '../scoring-backend.ts';

/**
 * SQL parts of a query for facts. Column names must be unique. `moment.now`, from `SNAPSHOT_TIME_CTE`, is the time at
 * which the facts are read.
 */
export interface FactsSql {
  /** Columns about subject `s` itself. */
  readonly subject: string;
  readonly columns: string;
  /** Joins with exactly one row per subject `s` that has facts. */
  readonly tables: string;
  /**
   * The joins of `tables` that come after creator `c`, in facts of a repository. A metered call joins `c` itself and
   * adds only these.
   */
  readonly joinsAfterCreator?: string;
}

/** Reads one kind of facts: of agents and skills, of creators, or of social and messaging accounts. */
export interface FactsKind<Row extends { id: string }, Kind extends Facts = Facts> {
  readonly sql: FactsSql;
  factsOf(row: Row): SubjectFacts<Kind>;
  /** Loads facts by subject id in one statement. Subjects that are unknown or of another type are omitted. */
  load(connection: Connection, subjectIds: readonly string[]): Promise<Map<string, SubjectFacts<Kind>>>;
}

/** CTE with the time at which a statement reads its facts: the same time for all subjects of the statement. */
export const SNAPSHOT_TIME_CTE = 'moment AS MATERIALIZED (SELECT utc_text(ledger_now()) AS now)';

/** Creates a kind of facts from its SQL and the function that converts its rows. */
export function defineFactsKind<Row extends { id: string }, Kind extends Facts>(
  sql: FactsSql,
  factsOf: (row: Row) => SubjectFacts<Kind>,
): FactsKind<Row, Kind> {
  const whole = `WITH ${SNAPSHOT_TIME_CTE}, asked AS MATERIALIZED (${batchRows('id uuid')})
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

/** Subject and facts for a score request. `now` is the database time at which the facts were read. */
export interface SubjectFacts<Kind extends Facts = Facts> {
  subject: ScoreSubject;
  /** Facts of the kind that fits the subject's type. */
  facts: Kind;
  now: Date;
}
