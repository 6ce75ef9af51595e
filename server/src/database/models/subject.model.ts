import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { defaulted, key, MOMENT, optional, type PreciseMoment, required, TEXT, UUID } from './columns.ts';

/** The five types of thing that can be scored. */
type SubjectType = 'agent' | 'skill' | 'creator' | 'social_account' | 'messaging_account';

/** One thing that can be scored; its id is the canonical id everywhere. */
export interface Subject extends Model<InferAttributes<Subject>, InferCreationAttributes<Subject>> {
  id: string;
  type: SubjectType;
  name: string;
  currentVersion: CreationOptional<PreciseMoment | null>;
  createdAt: CreationOptional<Date>;
}

/** The table `subject`. */
export const defineSubject = (sequelize: Sequelize): ModelStatic<Subject> =>
  sequelize.define<Subject>('subject', {
    id: key(UUID),
    type: required(TEXT),
    name: required(TEXT),
    currentVersion: optional(MOMENT),
    createdAt: defaulted(MOMENT),
  });
