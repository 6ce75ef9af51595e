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
  databaseDefault,
  defaulted,
  JSONB,
  key,
  MOMENT,
  optional,
  required,
  TEXT,
  UUID,
} from './table.ts';

/** Listing that an operator removed from the directory, with a copy of its rows. */
export interface Delisting extends Model<InferAttributes<Delisting>, InferCreationAttributes<Delisting>> {
  id: CreationOptional<number>;
  subjectId: string;
  agentId: string;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
  reason: string;
  delistedAt: CreationOptional<Date>;
  relistedAt: CreationOptional<Date | null>;
  kept: object | null;
}

/** Defines the table `delisting`. */
export const defineDelisting = (sequelize: Sequelize): ModelStatic<Delisting> =>
  sequelize.define<Delisting>('delisting', {
    id: { ...key(BIGINT), defaultValue: databaseDefault },
    subjectId: required(UUID),
    agentId: required(TEXT),
    host: required(TEXT),
    repository: required(TEXT),
    hostRepositoryId: optional(TEXT),
    reason: required(TEXT),
    delistedAt: defaulted(MOMENT),
    relistedAt: optional(MOMENT),
    kept: optional(JSONB),
  });
