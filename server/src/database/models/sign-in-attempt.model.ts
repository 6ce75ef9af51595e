import type { InferAttributes, InferCreationAttributes, Model, ModelStatic, Sequelize } from 'sequelize';
import { BYTES, key, MOMENT, required, TEXT } from './columns.ts';

/** A sign-in that was begun at an identity provider and not ended yet. */
export interface SignInAttempt
  extends Model<InferAttributes<SignInAttempt>, InferCreationAttributes<SignInAttempt>> {
  tokenHash: Buffer;
  provider: 'oidc' | 'github';
  nextPath: string;
  expiresAt: Date;
}

/** The table `sign_in_attempt`. */
export const defineSignInAttempt = (sequelize: Sequelize): ModelStatic<SignInAttempt> =>
  sequelize.define<SignInAttempt>('sign_in_attempt', {
    tokenHash: key(BYTES),
    provider: required(TEXT),
    nextPath: required(TEXT),
    expiresAt: required(MOMENT),
  });
