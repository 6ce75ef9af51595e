import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BOOLEAN, defaulted, key, MOMENT, required, TEXT, UUID } from './columns.ts';

/** Who owns keys, credits and receipts. */
export interface Account extends Model<InferAttributes<Account>, InferCreationAttributes<Account>> {
  id: string;
  handle: string;
  plan: string;
  overageEnabled: CreationOptional<boolean>;
  createdAt: CreationOptional<Date>;
}

/** The table `account`. */
export const defineAccount = (sequelize: Sequelize): ModelStatic<Account> =>
  sequelize.define<Account>('account', {
    id: key(UUID),
    handle: required(TEXT),
    plan: required(TEXT),
    overageEnabled: defaulted(BOOLEAN),
    createdAt: defaulted(MOMENT),
  });
