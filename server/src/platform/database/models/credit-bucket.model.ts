import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import {
  BIGINT,
  databaseDefault,
  defaulted,
  key,
  MOMENT,
  optional,
  required,
  SMALLINT,
  TEXT,
  UUID,
} from './table.ts';

/** Balance of one source of credits or free calls, for one account and one period. */
export interface CreditBucket
  extends Model<InferAttributes<CreditBucket>, InferCreationAttributes<CreditBucket>> {
  accountId: string;
  id: CreationOptional<number>;
  source: string;
  /** Generated from `source`: the order in which buckets pay. */
  prio: CreationOptional<number>;
  unit: 'call' | 'credit';
  periodKind: 'month' | 'grant';
  validFrom: Date;
  validTo: Date;
  total: number;
  used: CreationOptional<number>;
  held: CreationOptional<number>;
  /** Time at which one roll-up entry replaced the bucket's entries. */
  archivedAt: CreationOptional<Date | null>;
}

/** Defines the table `credit_bucket`. */
export const defineCreditBucket = (sequelize: Sequelize): ModelStatic<CreditBucket> =>
  sequelize.define<CreditBucket>('credit_bucket', {
    accountId: key(UUID),
    id: { ...key(BIGINT), defaultValue: databaseDefault },
    source: required(TEXT),
    prio: defaulted(SMALLINT),
    unit: required(TEXT),
    periodKind: required(TEXT),
    validFrom: required(MOMENT),
    validTo: required(MOMENT),
    total: required(BIGINT),
    used: defaulted(BIGINT),
    held: defaulted(BIGINT),
    archivedAt: optional(MOMENT),
  });
