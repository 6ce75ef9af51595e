import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BYTES, defaulted, key, MOMENT, optional, required, TEXT, TEXTS, UUID } from './table.ts';

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
  });
