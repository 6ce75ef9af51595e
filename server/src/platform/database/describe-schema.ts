import type { Connection } from './connect.ts';
import {
  COLUMNS,
  COMMENTS,
  CONSTRAINTS,
  EXTENSIONS,
  FUNCTIONS,
  INDEXES,
  TABLES,
  TRIGGERS,
  UNKNOWN,
  VIEWS,
} from './describe-schema.sql.ts';

/**
 * Describes the current schema as SQL that creates it in an empty database: extensions, functions, each table with its
 * indexes and triggers, then views. The text is the same on every supported version of PostgreSQL. It contains no
 * rows, no owners and no list of applied migrations. Throws if the schema has anything that it cannot describe.
 */
export async function describeSchema(connection: Queries): Promise<string> {
  const unknown = await connection.query<{ what: string }>(UNKNOWN);
  if (unknown.length > 0)
    throw new Error(
      `The schema has ${unknown.map(({ what }) => what).join(', ')}, which describeSchema cannot describe: extend it.`,
    );
  return [HEADER, ...(await describeObjects(connection))].join('\n');
}

/** The part of a connection that a description needs. */
export type Queries = Pick<Connection, 'query'>;

/**
 * Returns the descriptions of the extensions, functions, tables and views, one text each, in an order in which they
 * can be created. Leaves out what it cannot describe, for example privileges, and partitioned tables with their
 * partitions.
 */
export async function describeObjects(connection: Queries): Promise<string[]> {
  const comments = await readComments(connection);
  const extensions = await connection.query<{ name: string }>(EXTENSIONS);
  const functions = await connection.query<FunctionRow>(FUNCTIONS);
  return [
    ...extensions.map(({ name }) => `CREATE EXTENSION IF NOT EXISTS ${name};\n`),
    ...functions.map((each) => describeFunction(each) + commentsOf(comments, 'pg_proc', each)),
    ...(await describeTables(connection, comments)),
    ...(await describeViews(connection, comments)),
  ];
}

// Functions come before the tables that they name, because defaults, checks and indexes call functions. PostgreSQL must
// therefore not check the bodies of functions.
const HEADER = `-- The whole schema. Written by \`npm run schema\` from the migrations: do not edit.
-- Run it in one transaction, for example with psql --single-transaction.
SET LOCAL check_function_bodies = false;
`;

/** Object of the schema. Names are quoted where SQL requires it. */
interface SchemaObject {
  readonly oid: number;
  readonly name: string;
}

interface FunctionRow extends SchemaObject {
  readonly schema: string;
  readonly definition: string;
}

function describeFunction({ schema, definition }: FunctionRow): string {
  // The first qualified name in the definition is the function's own.
  const local = definition.replace(`${schema}.`, '').replace(/^CREATE OR REPLACE/, 'CREATE');
  return `${local.trimEnd()};\n`;
}

interface TableRow extends SchemaObject {
  readonly unlogged: boolean;
  readonly options: string[];
  /** Other tables to which its foreign keys refer. */
  readonly refers: string[];
}

/** Part of a table's description, or a statement that follows it. */
interface TablePart extends SchemaObject {
  readonly table: number;
  readonly definition: string;
}

async function describeTables(connection: Queries, comments: Comments): Promise<string[]> {
  const tables = await connection.query<TableRow>(TABLES);
  const columns = await connection.query<TablePart>(COLUMNS);
  const constraints = await connection.query<TablePart>(CONSTRAINTS);
  const indexes = await connection.query<TablePart>(INDEXES);
  const triggers = await connection.query<TriggerRow>(TRIGGERS);
  return dependenciesFirst(tables).map((table) => {
    const own = <Part extends TablePart>(parts: readonly Part[]) =>
      parts.filter((part) => part.table === table.oid);
    const lines = [...own(columns), ...own(constraints)].map(({ definition }) => wrap(`  ${definition}`));
    const options = table.options.length > 0 ? ` WITH (${table.options.join(', ')})` : '';
    return [
      `CREATE ${table.unlogged ? 'UNLOGGED ' : ''}TABLE ${table.name} (\n${lines.join(',\n')}\n)${wrap(options)};\n`,
      commentsOf(comments, 'pg_class', table),
      ...own(constraints).map((each) => commentsOf(comments, 'pg_constraint', each)),
      ...own(indexes).map((each) => `${wrap(each.definition)};\n${commentsOf(comments, 'pg_class', each)}`),
      ...own(triggers).map((each) => describeTrigger(each, table.name, comments)),
    ].join('');
  });
}

interface TriggerRow extends TablePart {
  /** ENABLE or DISABLE clause of a trigger that is disabled or runs on replicas; otherwise empty. */
  readonly mode: string;
}

function describeTrigger(trigger: TriggerRow, table: string, comments: Comments): string {
  const mode = trigger.mode && `ALTER TABLE ${table} ${trigger.mode} ${trigger.name};\n`;
  return `${wrapClauses(trigger.definition)};\n${mode}${commentsOf(comments, 'pg_trigger', trigger)}`;
}

interface ViewRow extends SchemaObject {
  readonly options: string[];
  readonly definition: string;
  /** Other views that the view reads. */
  readonly refers: string[];
}

async function describeViews(connection: Queries, comments: Comments): Promise<string[]> {
  const views = await connection.query<ViewRow>(VIEWS);
  const triggers = await connection.query<TriggerRow>(TRIGGERS);
  return dependenciesFirst(views).map((view) => {
    const options = view.options.length > 0 ? ` WITH (${view.options.join(', ')})` : '';
    return [
      `CREATE VIEW ${view.name}${options} AS\n${withoutTablePrefix(view.definition)}\n`,
      commentsOf(comments, 'pg_class', view),
      ...triggers
        .filter(({ table }) => table === view.oid)
        .map((each) => describeTrigger(each, view.name, comments)),
    ].join('');
  });
}

/** Matches the definition of a view that reads one table and nothing else. */
const OF_ONE_TABLE =
  /^(?![\s\S]*\b(?:JOIN|UNION|SELECT[\s\S]*SELECT)\b)[\s\S]*\n +FROM ([a-z_0-9]+)(?:;|\n +[A-Z])/;

/**
 * Removes `table.` from the columns of a view of one table. PostgreSQL 15 writes this prefix; later versions do not.
 */
function withoutTablePrefix(definition: string): string {
  const table = OF_ONE_TABLE.exec(definition)?.[1];
  return table === undefined ? definition : definition.replace(new RegExp(`\\b${table}\\.`, 'g'), '');
}

/** Keeps the order of the objects, but puts an object after those to which it refers. */
function dependenciesFirst<Each extends SchemaObject & { readonly refers: string[] }>(
  objects: readonly Each[],
): Each[] {
  const placed = new Set<Each>();
  const place = (each: Each, path: readonly string[]) => {
    if (path.includes(each.name))
      throw new Error(`No order can create these, because they refer to each other: ${path.join(', ')}.`);
    for (const other of objects)
      if (each.refers.includes(other.name) && !placed.has(other)) place(other, [...path, each.name]);
    placed.add(each);
  };
  for (const each of objects) if (!placed.has(each)) place(each, []);
  return [...placed];
}

const MAX_WIDTH = 110;
/** Matches parts of a line that must not be broken: text between spaces. A quoted string or identifier is one part. */
const UNBREAKABLE = /(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|[^\s'"])+/g;

/** First words of the clauses of a CREATE TRIGGER statement. */
const CLAUSES: readonly string[] = ['REFERENCING', 'FOR', 'WHEN', 'EXECUTE'];

/** Breaks a long CREATE TRIGGER statement before its clauses. */
function wrapClauses(statement: string): string {
  if (statement.length < MAX_WIDTH) return statement;
  const words = wordsOf(statement);
  const starts = [0, ...words.flatMap((word, n) => (CLAUSES.includes(word) ? [n] : [])), words.length];
  const [head = '', ...clauses] = starts.slice(1).map((end, n) => words.slice(starts[n], end).join(' '));
  const tail = `  ${clauses.join(' ')}`;
  const lines = tail.length < MAX_WIDTH ? [tail] : clauses.map((clause) => `  ${clause}`);
  return [head, ...lines].map(wrap).join('\n');
}

/** Breaks a long line between words and indents the rest. Leaves quoted text as it is. */
function wrap(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  let width = 0;
  return wordsOf(line).reduce((text, word) => {
    const fits = width + word.length < MAX_WIDTH;
    width = fits ? width + word.length + 1 : indent.length + 2 + word.length;
    if (text === '') return indent + word;
    return fits ? `${text} ${word}` : `${text}\n${indent}  ${word}`;
  }, '');
}

function wordsOf(text: string): string[] {
  return text.match(UNBREAKABLE) ?? [];
}

/** COMMENT statements by catalog and oid of their object. */
type Comments = ReadonlyMap<string, string>;

async function readComments(connection: Queries): Promise<Comments> {
  const rows = await connection.query<{ object: string; statements: string }>(COMMENTS);
  return new Map(rows.map(({ object, statements }) => [object, statements]));
}

function commentsOf(comments: Comments, catalog: string, { oid }: SchemaObject): string {
  return comments.get(`${catalog} ${oid}`) ?? '';
}
