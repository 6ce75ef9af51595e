import type { InferAttributes, InferCreationAttributes, Model, ModelStatic, Sequelize } from 'sequelize';
import { key, MOMENT, required, UUID } from './columns.ts';

/** When a listing's creator last had it scored again. */
export interface ScoreRefresh
  extends Model<InferAttributes<ScoreRefresh>, InferCreationAttributes<ScoreRefresh>> {
  subjectId: string;
  askedAt: Date;
}

/** The table `score_refresh`. */
export const defineScoreRefresh = (sequelize: Sequelize): ModelStatic<ScoreRefresh> =>
  sequelize.define<ScoreRefresh>('score_refresh', {
    subjectId: key(UUID),
    askedAt: required(MOMENT),
  });
