import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BIGINT, BOOLEAN, defaulted, key, MOMENT, optional, required, TEXT, UUID } from './table.ts';

/** Customer account, which owns keys, credits and receipts. */
export interface Account extends Model<InferAttributes<Account>, InferCreationAttributes<Account>> {
  id: string;
  /** Handle; null until the owner of an account that a first sign-in created has chosen one. */
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
  /** Credits per month; null means the plan's maximum. */
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
