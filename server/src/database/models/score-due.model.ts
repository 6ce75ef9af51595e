import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BOOLEAN, defaulted, key, MOMENT, type PreciseMoment, required, UUID } from './columns.ts';

/** A subject whose facts have changed since its last score. */
export interface ScoreDue extends Model<InferAttributes<ScoreDue>, InferCreationAttributes<ScoreDue>> {
  subjectId: string;
  /** Its own facts, not only those of its parent. */
  own: boolean;
  notedAt: CreationOptional<PreciseMoment>;
}

/** The table `score_due`. */
export const defineScoreDue = (sequelize: Sequelize): ModelStatic<ScoreDue> =>
  sequelize.define<ScoreDue>('score_due', {
    subjectId: key(UUID),
    own: required(BOOLEAN),
    notedAt: defaulted(MOMENT),
  });
