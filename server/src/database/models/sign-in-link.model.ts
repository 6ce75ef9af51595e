import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BYTES, defaulted, key, MOMENT, optional, required, UUID } from './columns.ts';

/** A link that signs a person in once, and expires in ten minutes. */
export interface SignInLink extends Model<InferAttributes<SignInLink>, InferCreationAttributes<SignInLink>> {
  id: string;
  accountId: string;
  tokenHash: Buffer;
  createdAt: CreationOptional<Date>;
  expiresAt: Date;
  redeemedAt: CreationOptional<Date | null>;
}

/** The table `sign_in_link`. */
export const defineSignInLink = (sequelize: Sequelize): ModelStatic<SignInLink> =>
  sequelize.define<SignInLink>('sign_in_link', {
    id: key(UUID),
    accountId: required(UUID),
    tokenHash: required(BYTES),
    createdAt: defaulted(MOMENT),
    expiresAt: required(MOMENT),
    redeemedAt: optional(MOMENT),
  });
