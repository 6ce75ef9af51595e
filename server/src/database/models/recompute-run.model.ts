import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { defaulted, key, MOMENT, type PreciseMoment, TEXT } from './columns.ts';

/** A recompute of everything that is under way, or was interrupted. */
export interface RecomputeRun
  extends Model<InferAttributes<RecomputeRun>, InferCreationAttributes<RecomputeRun>> {
  /** The types of subject that it is about. */
  scope: string;
  startedAt: CreationOptional<PreciseMoment>;
}

/** The table `recompute_run`. */
export const defineRecomputeRun = (sequelize: Sequelize): ModelStatic<RecomputeRun> =>
  sequelize.define<RecomputeRun>('recompute_run', { scope: key(TEXT), startedAt: defaulted(MOMENT) });
