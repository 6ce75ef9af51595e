import type pg from 'pg';
import { describeObjects, type Queries } from './describe-schema.ts';

/** Last of the migrations that the baseline replaces. */
export const LAST_BEFORE_BASELINE = '0074-running-servers';

/** Baseline of the schema: the first migration. It creates the same schema as the migrations that it replaces. */
export interface Baseline {
  readonly name: string;
  /** Statements that create the schema, as `describeObjects` writes them. */
  readonly statements: string;
}

/** Maximum number of differences that the error names. */
const NAMED = 5;

/**
 * Checks a database that earlier versions have migrated. Throws if its migrations do not include
 * `LAST_BEFORE_BASELINE`, or if its schema differs from the one that the baseline creates. Otherwise the caller may
 * record the baseline as applied. `former` has the names of the applied migrations before the baseline.
 */
export async function requireBaselineSchema(
  client: pg.Client,
  former: readonly string[],
  baseline: Baseline,
): Promise<void> {
  if (!former.includes(LAST_BEFORE_BASELINE))
    throw new Error(
      `This version starts from the schema of the migration ${LAST_BEFORE_BASELINE}, but the database is at ${former.at(-1)}: run the ` +
        `command migrate of the version whose last migration is ${LAST_BEFORE_BASELINE} first (its last commit is the one before ` +
        `${baseline.name}.sql was added), then start this one. Nothing was changed.`,
    );
  const differences = await differencesFrom(baseline.statements, client);
  if (differences.length === 0) return;
  const more = differences.length > NAMED ? `, and ${differences.length - NAMED} more` : '';
  throw new Error(
    `The schema of the database is not the one that the migration ${LAST_BEFORE_BASELINE} leaves (${baseline.name}.sql contains that): ` +
      `it ${differences.slice(0, NAMED).join(', it ')}${more}. Undo these changes, then start again. Nothing was changed.`,
  );
}

/**
 * Lists the differences between the schema of the database and the one that `statements` create: lines that only one of
 * them has.
 */
async function differencesFrom(statements: string, client: pg.Client): Promise<string[]> {
  const queries: Queries = { query: async (sql) => (await client.query(sql)).rows };
  const partitioned = await client.query<{ name: string }>(PARTITIONED);
  // Partitioned tables are not compared: ops/partition.sql copies a table with its columns, constraints and indexes, but
  // PostgreSQL gives the indexes new names.
  const isCompared = (object: string) =>
    !partitioned.rows.some(({ name }) => object.startsWith(`CREATE TABLE ${name} (`));
  const expected = statementsOf(objectsOf(statements).filter(isCompared));
  const found = statementsOf(await describeObjects(queries));
  const more = found.filter((statement) => !expected.includes(statement));
  const missing = expected.filter((statement) => !found.includes(statement));
  const [has, lacks] = [linesOf(more), linesOf(missing)];
  const named = [
    ...has.filter((line) => !lacks.includes(line)).map((line) => `has "${line}"`),
    ...lacks.filter((line) => !has.includes(line)).map((line) => `lacks "${line}"`),
  ];
  return more.length + missing.length > 0 && named.length === 0
    ? [`has another order in "${has[0]}"`]
    : named;
}

const PARTITIONED = `SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'p' AND NOT relispartition`;

/** Splits a migration into the descriptions of its objects. Leaves out comments, settings and rows. */
function objectsOf(statements: string): string[] {
  return statements.split(/\n{2,}/).filter((part) => part.startsWith('CREATE '));
}

/** Splits descriptions of objects into statements: those of a table, of its indexes and of its triggers. */
function statementsOf(objects: readonly string[]): string[] {
  return objects.flatMap((object) => object.trim().split(/\n(?=CREATE |COMMENT |ALTER )/));
}

/** Splits statements into lines. Prefixes every line except the first with the first line of its statement. */
function linesOf(statements: readonly string[]): string[] {
  return statements.flatMap((statement) => {
    const [head = '', ...rest] = statement.split('\n').map((line) => line.trim().replace(/[,;]$/, ''));
    return [head, ...rest.map((line) => `${head} … ${line}`)];
  });
}
