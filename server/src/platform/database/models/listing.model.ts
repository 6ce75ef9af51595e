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
  INTEGER,
  JSONB,
  key,
  MOMENT,
  optional,
  required,
  TEXT,
  TEXTS,
  UUID,
} from './table.ts';

/** Listed agent or skill: its repository with metadata, and the listing from which it derives, if any. */
export interface Listing extends Model<InferAttributes<Listing>, InferCreationAttributes<Listing>> {
  subjectId: string;
  registryRowId: string;
  agentId: string;
  type: 'agent' | 'skill';
  kind: string;
  name: string;
  description: CreationOptional<string>;
  category: string;
  tags: CreationOptional<string[]>;
  creatorId: string;
  host: string;
  repository: string;
  repositoryUrl: string;
  hostRepositoryId: CreationOptional<string | null>;
  hostOwnerId: CreationOptional<string | null>;
  identityDoubt: CreationOptional<string | null>;
  homepage: CreationOptional<string | null>;
  license: CreationOptional<string | null>;
  stars: CreationOptional<number | null>;
  forks: CreationOptional<number | null>;
  openIssues: CreationOptional<number | null>;
  lastCommitAt: CreationOptional<Date | null>;
  repositoryCreatedAt: CreationOptional<Date | null>;
  archived: CreationOptional<boolean | null>;
  metricsObservedAt: CreationOptional<Date | null>;
  npmPackage: CreationOptional<string | null>;
  npmMonthlyDownloads: CreationOptional<number | null>;
  pypiPackage: CreationOptional<string | null>;
  npmConfirmed: CreationOptional<boolean>;
  pypiConfirmed: CreationOptional<boolean>;
  npmMissing: CreationOptional<boolean>;
  pypiMissing: CreationOptional<boolean>;
  otherPackages: CreationOptional<object>;
  verified: CreationOptional<boolean>;
  parentId: CreationOptional<string | null>;
  parentRelation: CreationOptional<string | null>;
  parentStated: CreationOptional<boolean | null>;
  parentAcknowledgedAt: CreationOptional<Date | null>;
  source: string;
  registeredBy: CreationOptional<string | null>;
  imported: CreationOptional<Record<string, unknown> | null>;
  listedAt: CreationOptional<Date>;
  updatedAt: CreationOptional<Date>;
}

/** Defines the table `listing`. */
export const defineListing = (sequelize: Sequelize): ModelStatic<Listing> =>
  sequelize.define<Listing>('listing', {
    subjectId: key(UUID),
    registryRowId: required(UUID),
    agentId: required(TEXT),
    type: required(TEXT),
    kind: required(TEXT),
    name: required(TEXT),
    description: defaulted(TEXT),
    category: required(TEXT),
    tags: defaulted(TEXTS),
    creatorId: required(UUID),
    host: required(TEXT),
    repository: required(TEXT),
    repositoryUrl: required(TEXT),
    hostRepositoryId: optional(TEXT),
    hostOwnerId: optional(TEXT),
    identityDoubt: optional(TEXT),
    homepage: optional(TEXT),
    license: optional(TEXT),
    stars: optional(BIGINT),
    forks: optional(BIGINT),
    openIssues: optional(BIGINT),
    lastCommitAt: optional(MOMENT),
    repositoryCreatedAt: optional(MOMENT),
    archived: optional(BOOLEAN),
    metricsObservedAt: optional(MOMENT),
    npmPackage: optional(TEXT),
    npmMonthlyDownloads: optional(BIGINT),
    pypiPackage: optional(TEXT),
    npmConfirmed: defaulted(BOOLEAN),
    pypiConfirmed: defaulted(BOOLEAN),
    npmMissing: defaulted(BOOLEAN),
    pypiMissing: defaulted(BOOLEAN),
    otherPackages: defaulted(JSONB),
    verified: defaulted(BOOLEAN),
    parentId: optional(UUID),
    parentRelation: optional(TEXT),
    parentStated: optional(BOOLEAN),
    parentAcknowledgedAt: optional(MOMENT),
    source: required(TEXT),
    registeredBy: optional(UUID),
    imported: optional(JSONB),
    listedAt: defaulted(MOMENT),
    updatedAt: defaulted(MOMENT),
  });

/** Publisher of agents and skills: an owner on a repository host, or an account of this directory. */
export interface Creator extends Model<InferAttributes<Creator>, InferCreationAttributes<Creator>> {
  subjectId: string;
  host: string;
  handle: string;
  displayName: CreationOptional<string | null>;
  verified: CreationOptional<boolean>;
  accountId: CreationOptional<string | null>;
  imported: CreationOptional<Record<string, unknown> | null>;
  mergedInto: CreationOptional<string | null>;
  hostAccountId: CreationOptional<string | null>;
  createdAt: CreationOptional<Date>;
  updatedAt: CreationOptional<Date>;
}

/** Defines the table `creator`. */
export const defineCreator = (sequelize: Sequelize): ModelStatic<Creator> =>
  sequelize.define<Creator>('creator', {
    subjectId: key(UUID),
    host: required(TEXT),
    handle: required(TEXT),
    displayName: optional(TEXT),
    verified: defaulted(BOOLEAN),
    accountId: optional(UUID),
    imported: optional(JSONB),
    mergedInto: optional(UUID),
    hostAccountId: optional(TEXT),
    createdAt: defaulted(MOMENT),
    updatedAt: defaulted(MOMENT),
  });

/** Listing that an operator removed from the directory, with a copy of its rows. */
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

/** Defines the table `delisting`. */
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
