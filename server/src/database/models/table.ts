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
  Transaction,
  UpdateOptions,
} from 'sequelize';
import type { Expression } from './expressions.ts';

/** The caller's transaction, or null for a statement that commits by itself. Without it no call compiles. */
type Within<Options> = Omit<Options, 'transaction'> & { transaction: Transaction | null };

/** What a row is written with: values, or what the database makes of an expression. */
type Written<Values> = { [Name in keyof Values]: Values[Name] | Expression };

/**
 * A Sequelize model as repositories use it. With `raw: true` rows are plain objects under the names that `attributes`
 * gives them, which is why the caller names their type, as with `query`.
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
  /** How many rows there are of this kind. */
  count(options: Within<Omit<CountOptions<Attributes<Row>>, 'group'>>): Promise<number>;
  create(
    values: Written<CreationAttributes<Row>>,
    options: Within<CreateOptions<Attributes<Row>>>,
  ): Promise<Row>;
  bulkCreate(
    rows: readonly Written<CreationAttributes<Row>>[],
    options: Within<CreateOptions<Attributes<Row>>>,
  ): Promise<Row[]>;
  /** How many rows were changed, first of one. */
  update(
    values: Partial<Written<Attributes<Row>>>,
    options: Within<UpdateOptions<Attributes<Row>>>,
  ): Promise<[count: number]>;
  /** How many rows there were. */
  destroy(options: Within<DestroyOptions<Attributes<Row>>>): Promise<number>;
}

/** A model under the type that leaves no transaction out. */
export type TableOf<Defined> = Defined extends ModelStatic<infer Row extends Model> ? Table<Row> : never;
