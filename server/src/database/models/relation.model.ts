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
  BOOLEAN,
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

/** What a source says of two repositories or files. */
export interface Relation extends Model<InferAttributes<Relation>, InferCreationAttributes<Relation>> {
  id: CreationOptional<number>;
  type: string;
  fromRepository: string;
  fromPath: CreationOptional<string | null>;
  toRepository: string;
  toPath: CreationOptional<string | null>;
  fromListingId: CreationOptional<string | null>;
  toListingId: CreationOptional<string | null>;
  directed: boolean;
  stated: boolean;
  resolution: CreationOptional<string | null>;
  evidence: CreationOptional<string | null>;
  source: string;
  imported: CreationOptional<Record<string, unknown> | null>;
  createdAt: CreationOptional<Date>;
}

/** The table `relation`. */
export const defineRelation = (sequelize: Sequelize): ModelStatic<Relation> =>
  sequelize.define<Relation>('relation', {
    id: { ...key(BIGINT), defaultValue: databaseDefault },
    type: required(TEXT),
    fromRepository: required(TEXT),
    fromPath: optional(TEXT),
    toRepository: required(TEXT),
    toPath: optional(TEXT),
    fromListingId: optional(UUID),
    toListingId: optional(UUID),
    directed: required(BOOLEAN),
    stated: required(BOOLEAN),
    resolution: optional(TEXT),
    evidence: optional(TEXT),
    source: required(TEXT),
    imported: optional(JSONB),
    createdAt: defaulted(MOMENT),
  });
