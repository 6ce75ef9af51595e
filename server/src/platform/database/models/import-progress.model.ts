import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BIGINT, defaulted, INTEGER, JSONB, key, MOMENT, required, TEXT } from './table.ts';

/** Progress of an interrupted import of one set of files. */
export interface ImportProgress
  extends Model<InferAttributes<ImportProgress>, InferCreationAttributes<ImportProgress>> {
  filesHash: string;
  step: number;
  stage: string;
  fileIndex: number;
  line: number;
  byteOffset: number;
  counts: Record<string, unknown>;
  rejectsPath: string;
  rejectsBytes: number;
  updatedAt: CreationOptional<Date>;
}

/** Defines the table `import_progress`. */
export const defineImportProgress = (sequelize: Sequelize): ModelStatic<ImportProgress> =>
  sequelize.define<ImportProgress>('import_progress', {
    filesHash: key(TEXT),
    step: required(BIGINT),
    stage: required(TEXT),
    fileIndex: required(INTEGER),
    line: required(BIGINT),
    byteOffset: required(BIGINT),
    counts: required(JSONB),
    rejectsPath: required(TEXT),
    rejectsBytes: required(BIGINT),
    updatedAt: defaulted(MOMENT),
  });
