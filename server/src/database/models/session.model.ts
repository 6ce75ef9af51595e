import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BYTES, defaulted, key, MOMENT, optional, required, TEXT, UUID } from './columns.ts';

/** A signed-in console session; ended, never deleted. */
export interface Session extends Model<InferAttributes<Session>, InferCreationAttributes<Session>> {
  id: string;
  accountId: string;
  tokenHash: Buffer;
  openedBy: 'operator' | 'sign_in';
  createdAt: CreationOptional<Date>;
  lastSeenAt: CreationOptional<Date>;
  expiresAt: Date;
  endedAt: CreationOptional<Date | null>;
}

/** The table `session`. */
export const defineSession = (sequelize: Sequelize): ModelStatic<Session> =>
  sequelize.define<Session>('session', {
    id: key(UUID),
    accountId: required(UUID),
    tokenHash: required(BYTES),
    openedBy: required(TEXT),
    createdAt: defaulted(MOMENT),
    lastSeenAt: defaulted(MOMENT),
    expiresAt: required(MOMENT),
    endedAt: optional(MOMENT),
  });
