import type {
  CreationOptional,
  InferAttributes,
  InferCreationAttributes,
  Model,
  ModelStatic,
  Sequelize,
} from 'sequelize';
import { BIGINT, defaulted, INTEGER, JSONB, key, MOMENT, optional, required, TEXT, UUID } from './table.ts';

/** Times of the last and the next read of a listing's metadata from its host. */
export interface RepositoryRefresh
  extends Model<InferAttributes<RepositoryRefresh>, InferCreationAttributes<RepositoryRefresh>> {
  listingId: string;
  etag: CreationOptional<string | null>;
  lastModified: CreationOptional<string | null>;
  checkedAt: CreationOptional<Date | null>;
  confirmedAt: CreationOptional<Date | null>;
  nextCheckAt: CreationOptional<Date>;
  leaseId: CreationOptional<string | null>;
  leasedUntil: CreationOptional<Date | null>;
  failures: CreationOptional<number>;
  outcome: CreationOptional<string | null>;
}

/** Defines the table `repository_refresh`. */
export const defineRepositoryRefresh = (sequelize: Sequelize): ModelStatic<RepositoryRefresh> =>
  sequelize.define<RepositoryRefresh>('repository_refresh', {
    listingId: key(UUID),
    etag: optional(TEXT),
    lastModified: optional(TEXT),
    checkedAt: optional(MOMENT),
    confirmedAt: optional(MOMENT),
    nextCheckAt: defaulted(MOMENT),
    leaseId: optional(UUID),
    leasedUntil: optional(MOMENT),
    failures: defaulted(INTEGER),
    outcome: optional(TEXT),
  });

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
