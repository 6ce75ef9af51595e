import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { defaulted, key, MOMENT, required, TEXT, UUID } from './columns.ts';

/** A person at an identity provider, and the account that they are let in to. */
export interface SignInIdentity
  extends Model<InferAttributes<SignInIdentity>, InferCreationAttributes<SignInIdentity>> {
  issuer: string;
  subject: string;
  accountId: string;
  createdBy: 'operator' | 'sign_up';
  createdAt: CreationOptional<Date>;
}

/** The table `sign_in_identity`. */
export const defineSignInIdentity = (sequelize: Sequelize): ModelStatic<SignInIdentity> =>
  sequelize.define<SignInIdentity>('sign_in_identity', {
    issuer: key(TEXT),
    subject: key(TEXT),
    accountId: required(UUID),
    createdBy: required(TEXT),
    createdAt: defaulted(MOMENT),
  });
