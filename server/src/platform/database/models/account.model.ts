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
  BOOLEAN,
  BYTES,
  databaseDefault,
  defaulted,
  key,
  MOMENT,
  optional,
  required,
  SMALLINT,
  TEXT,
  TEXTS,
  UUID,
} from './table.ts';

/** Customer account, which owns keys, credits and receipts. */
export interface Account extends Model<InferAttributes<Account>, InferCreationAttributes<Account>> {
  id: string;
  /** Handle; null if a first sign-in created the account and its owner has not chosen a handle yet. */
  handle: CreationOptional<string | null>;
  plan: string;
  overageEnabled: CreationOptional<boolean>;
  createdAt: CreationOptional<Date>;
  suspendedAt: CreationOptional<Date | null>;
  /** Time of the deletion, which is final. The row remains because receipts refer to it. */
  deletedAt: CreationOptional<Date | null>;
  /** Scheduled plan, which applies from `nextPlanFrom` on. SQL reads the plan in force with plan_in_force(). */
  nextPlan: CreationOptional<string | null>;
  nextPlanFrom: CreationOptional<Date | null>;
  /** Maximum credits of overage per month; null means the plan's maximum. */
  overageCap: CreationOptional<number | null>;
}

/** Defines the table `account`. */
export const defineAccount = (sequelize: Sequelize): ModelStatic<Account> =>
  sequelize.define<Account>('account', {
    id: key(UUID),
    handle: optional(TEXT),
    plan: required(TEXT),
    overageEnabled: defaulted(BOOLEAN),
    createdAt: defaulted(MOMENT),
    suspendedAt: optional(MOMENT),
    deletedAt: optional(MOMENT),
    nextPlan: optional(TEXT),
    nextPlanFrom: optional(MOMENT),
    overageCap: optional(BIGINT),
  });

/** Access key: its hash and its permissions, never its secret. */
export interface AccessKey extends Model<InferAttributes<AccessKey>, InferCreationAttributes<AccessKey>> {
  id: string;
  accountId: string;
  sessionId: string;
  keyHash: Buffer;
  lastFour: string;
  name: string;
  scopes: string[];
  createdAt: CreationOptional<Date>;
  expiresAt: CreationOptional<Date | null>;
  pausedAt: CreationOptional<Date | null>;
  revokedAt: CreationOptional<Date | null>;
  lastUsedAt: CreationOptional<Date | null>;
  /** Maximum calls per month; null for no limit. */
  monthlyCalls: CreationOptional<number | null>;
  /** Maximum credits per month; null for no limit. */
  monthlyCredits: CreationOptional<number | null>;
  /**
   * Id of the first key in this key's chain of replacements; null if this key is the first. The spending of all keys
   * in the chain is counted under that id.
   */
  spendsAs: CreationOptional<string | null>;
}

/** Defines the table `access_key`. */
export const defineAccessKey = (sequelize: Sequelize): ModelStatic<AccessKey> =>
  sequelize.define<AccessKey>('access_key', {
    id: key(UUID),
    accountId: required(UUID),
    sessionId: required(UUID),
    keyHash: required(BYTES),
    lastFour: required(TEXT),
    name: required(TEXT),
    scopes: required(TEXTS),
    createdAt: defaulted(MOMENT),
    expiresAt: optional(MOMENT),
    pausedAt: optional(MOMENT),
    revokedAt: optional(MOMENT),
    lastUsedAt: optional(MOMENT),
    monthlyCalls: optional(BIGINT),
    monthlyCredits: optional(BIGINT),
    spendsAs: optional(UUID),
  });

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
