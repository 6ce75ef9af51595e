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
} from './columns.ts';

/** A listing that an operator took out of the directory, with its rows as they were. */
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

/** The table `delisting`. */
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
