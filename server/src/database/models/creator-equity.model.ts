import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { DOUBLE, defaulted, key, MOMENT, required, UUID } from './columns.ts';

/** A creator's standing among those who build on each other, 0 to 1. */
export interface CreatorEquity
  extends Model<InferAttributes<CreatorEquity>, InferCreationAttributes<CreatorEquity>> {
  creatorId: string;
  equity: number;
  computedAt: CreationOptional<Date>;
}

/** The table `creator_equity`. */
export const defineCreatorEquity = (sequelize: Sequelize): ModelStatic<CreatorEquity> =>
  sequelize.define<CreatorEquity>('creator_equity', {
    creatorId: key(UUID),
    equity: required(DOUBLE),
    computedAt: defaulted(MOMENT),
  });
