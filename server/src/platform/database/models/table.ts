import type {
  Attributes,
  CountOptions,
  CreateOptions,
  CreationAttributes,
  DestroyOptions,
  FindOptions,
  Identifier,
  Model,
  ModelStatic,
  UpdateOptions,
} from 'sequelize';
import {
  col,
  DataTypes,
  fn,
  literal,
  Op,
  Transaction,
  type Utils,
  type WhereOperators,
  where,
} from 'sequelize';

type Fn = Utils.Fn;

type Literal = Utils.Literal;

/**
 * Expression that the database evaluates. It becomes part of the statement's text. Sessions prepare statements that
 * write, each text under its own name, and the number of names is limited. An expression in a write must therefore not
 * contain varying values; pass those as column values, which are bound.
 */
type Expression = Fn | Utils.Col | Literal;

/** Column or expression to select, and its name in the row. */
export type NamedColumn = [string | Fn | Literal, string];

/** Current time of the database's clock, which tests can set. */
export const NOW = fn('ledger_now');

/** Returns the SQL expression of the time that is an interval from now: `fromNow('12 hours')`. */
export function fromNow(interval: string): Literal {
  return literal(`ledger_now() + interval '${interval}'`);
}

/** Matches columns that are not null. */
export const NOT_NULL: WhereOperators = { [Op.ne]: null };

/** Matches times in the past. */
export const PAST: WhereOperators = { [Op.lte]: NOW };

/** Matches times in the future. */
export const FUTURE: WhereOperators = { [Op.gt]: NOW };

/** Selects a timestamp as text with its microseconds, which a Date would lose: `utcText('created_at', 'createdAt')`. */
export function utcText(column: string, name: string): NamedColumn {
  return [fn('utc_text', col(column)), name];
}

/** Returns the SQL expression of a column's value, or of `otherwise` if the column is null. */
export function columnOr(column: string, otherwise: Expression): Fn {
  return fn('coalesce', col(column), otherwise);
}

/**
 * Builds the condition that a column equals a text, ignoring case. Use it only in reads and DELETE, which are not
 * prepared under a name.
 */
export function equalsIgnoringCase(column: string, text: string): Utils.Where {
  return where(fn('lower', col(column)), fn('lower', text));
}

/**
 * Builds the condition that an SQL expression equals a text. Use it only in reads: the text becomes part of the
 * statement, and in a write each different text would take one of the limited names of prepared statements.
 */
export function sqlEquals(made: string, text: string): Utils.Where {
  return where(literal(made), text);
}

/** Embeds SQL as a condition or column. Never include a caller's value. */
export const sql = literal;

/** Operators: and, or, less than, not equal. */
export const { and: ALL, or: ANY, lt: LESS, ne: NOT } = Op;

/** Locks a row against all changes, but not against new rows that reference it. */
export const FOR_NO_KEY_UPDATE = Transaction.LOCK.NO_KEY_UPDATE;

/** Value that lets the database use the column's own default, identity or generated expression. */
export const databaseDefault = literal('DEFAULT');

declare const precise: unique symbol;

/**
 * Timestamp whose microseconds matter (for example a score version). A JavaScript Date would lose them, so models can
 * neither read nor write it. Use SQL with utc_text() instead.
 */
export interface PreciseMoment {
  readonly [precise]: 'utc_text() in SQL';
}

/** Defines a column NOT NULL without a default: `required(TEXT)`. */
export const required = <Type>(type: Type) => ({ type, allowNull: false }) as const;

/** Defines a nullable column: `optional(TEXT)`. */
export const optional = <Type>(type: Type) => ({ type, allowNull: true }) as const;

/** Defines a NOT NULL column with a default of the database: `defaulted(BOOLEAN)`. */
export const defaulted = <Type>(type: Type) =>
  ({ type, allowNull: false, defaultValue: databaseDefault }) as const;

/** Defines a primary key column. */
export const key = <Type>(type: Type) => ({ type, allowNull: false, primaryKey: true }) as const;

/** Column types under PostgreSQL's names. */
export const { UUID, TEXT, BOOLEAN, BIGINT, INTEGER, SMALLINT, JSONB } = DataTypes;

export const TEXTS = DataTypes.ARRAY(DataTypes.TEXT);

export const MOMENT = DataTypes.DATE;

export const BYTES = DataTypes.BLOB;

/**
 * Requires the caller's transaction, or null for a statement that commits by itself. A call without it does not
 * compile.
 */
type Within<Options> = Omit<Options, 'transaction'> & { transaction: Transaction | null };

/** Column values, or SQL expressions evaluated by the database. */
type Written<Values> = { [Name in keyof Values]: Values[Name] | Expression };

/**
 * Sequelize model as query functions use it. With `raw: true`, rows are plain objects with the names in `attributes`;
 * the caller states their type, as with `query`.
 */
interface Table<Row extends Model> {
  findAll<Plain extends object>(
    options: Within<FindOptions<Attributes<Row>>> & { raw: true },
  ): Promise<Plain[]>;
  findAll(options: Within<FindOptions<Attributes<Row>>>): Promise<Row[]>;
  findOne<Plain extends object>(
    options: Within<FindOptions<Attributes<Row>>> & { raw: true },
  ): Promise<Plain | null>;
  findOne(options: Within<FindOptions<Attributes<Row>>>): Promise<Row | null>;
  findByPk(
    id: Identifier | undefined,
    options: Within<Omit<FindOptions<Attributes<Row>>, 'where'>>,
  ): Promise<Row | null>;
  /** Counts the matching rows. */
  count(options: Within<Omit<CountOptions<Attributes<Row>>, 'group'>>): Promise<number>;
  create(
    values: Written<CreationAttributes<Row>>,
    options: Within<CreateOptions<Attributes<Row>>>,
  ): Promise<Row>;
  bulkCreate(
    rows: readonly Written<CreationAttributes<Row>>[],
    options: Within<CreateOptions<Attributes<Row>>>,
  ): Promise<Row[]>;
  /** Resolves with a list whose only element is the number of changed rows. */
  update(
    values: Partial<Written<Attributes<Row>>>,
    options: Within<UpdateOptions<Attributes<Row>>>,
  ): Promise<[count: number]>;
  /** Resolves with the number of deleted rows. */
  destroy(options: Within<DestroyOptions<Attributes<Row>>>): Promise<number>;
}

/** Types a model so that no call can omit the transaction. */
export type TableOf<Defined> = Defined extends ModelStatic<infer Row extends Model> ? Table<Row> : never;
