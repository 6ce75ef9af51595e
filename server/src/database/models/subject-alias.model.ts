import type { InferAttributes, InferCreationAttributes, Model, ModelStatic, Sequelize } from 'sequelize';
import { key, required, TEXT, UUID } from './columns.ts';
import type { SubjectType } from './subject.model.ts';

/** One normalised name that leads to a subject. */
export interface SubjectAlias
  extends Model<InferAttributes<SubjectAlias>, InferCreationAttributes<SubjectAlias>> {
  label: string;
  subjectType: SubjectType;
  subjectId: string;
  kind: 'identity' | 'former' | 'name';
}

/** The table `subject_alias`. */
export const defineSubjectAlias = (sequelize: Sequelize): ModelStatic<SubjectAlias> =>
  sequelize.define<SubjectAlias>('subject_alias', {
    label: key(TEXT),
    subjectType: key(TEXT),
    subjectId: key(UUID),
    kind: required(TEXT),
  });
