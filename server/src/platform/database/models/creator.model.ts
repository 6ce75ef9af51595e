import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BOOLEAN, defaulted, JSONB, key, MOMENT, optional, required, TEXT, UUID } from './table.ts';

/** Publisher of agents and skills: an owner on a repository host, or an account of this directory. */
export interface Creator extends Model<InferAttributes<Creator>, InferCreationAttributes<Creator>> {
  subjectId: string;
  host: string;
  handle: string;
  displayName: CreationOptional<string | null>;
  verified: CreationOptional<boolean>;
  accountId: CreationOptional<string | null>;
  imported: CreationOptional<Record<string, unknown> | null>;
  mergedInto: CreationOptional<string | null>;
  hostAccountId: CreationOptional<string | null>;
  createdAt: CreationOptional<Date>;
  updatedAt: CreationOptional<Date>;
}

/** Defines the table `creator`. */
export const defineCreator = (sequelize: Sequelize): ModelStatic<Creator> =>
  sequelize.define<Creator>('creator', {
    subjectId: key(UUID),
    host: required(TEXT),
    handle: required(TEXT),
    displayName: optional(TEXT),
    verified: defaulted(BOOLEAN),
    accountId: optional(UUID),
    imported: optional(JSONB),
    mergedInto: optional(UUID),
    hostAccountId: optional(TEXT),
    createdAt: defaulted(MOMENT),
    updatedAt: defaulted(MOMENT),
  });
