import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BIGINT, BOOLEAN, defaulted, key, MOMENT, optional, required, TEXT, UUID } from './columns.ts';

/** Who owns keys, credits and receipts. */
export interface Account extends Model<InferAttributes<Account>, InferCreationAttributes<Account>> {
  id: string;
  /** Null until the owner of an account that a first sign-in made has chosen one. */
  handle: CreationOptional<string | null>;
  plan: string;
  overageEnabled: CreationOptional<boolean>;
  createdAt: CreationOptional<Date>;
  suspendedAt: CreationOptional<Date | null>;
  /** Final; the row stays, since receipts point at it. */
  deletedAt: CreationOptional<Date | null>;
  /** A lower plan that counts from `nextPlanFrom` on; SQL reads the plan of a moment by plan_in_force(). */
  nextPlan: CreationOptional<string | null>;
  nextPlanFrom: CreationOptional<Date | null>;
  /** Credits a month; null stands for the plan's whole cap. */
  overageCap: CreationOptional<number | null>;
}

/** The table `account`. */
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
